import { DiffFileView } from './diff-file';
import { parseDiff } from './parse-diff';

/** A unified diff, a figure a file. */
export function DiffView({ diff }: { readonly diff: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {parseDiff(diff).map((file, index) => (
        <DiffFileView key={index} file={file} />
      ))}
    </div>
  );
}
