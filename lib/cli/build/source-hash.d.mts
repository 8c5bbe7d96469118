export interface Sources {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly leftOut: ReadonlySet<string>;
}
export function sourceHash(packageRoot: string): string;
export function hashSources(packageRoot: string, sources: Sources): string;
