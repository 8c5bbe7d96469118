import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Configuration } from '@/lib/config/environment';
import { SCRIPTED, scriptedBy, scriptOf } from '@/lib/domain/model-name';
import { sampleScript } from '@/lib/sample/copy-sample';

export type ModelAnswer = { readonly ok: true; readonly model: string } | { readonly ok: false; readonly message: string };

/**
 * The model that a submission means: the one it names, else the configured one.
 * `scripted` alone is the script of the sample task; another script must lie where
 * workspaces may, since a run tells what is in it.
 */
export async function chooseModel(
  { model, packageRoot, workspaceRoots }: Pick<Configuration, 'model' | 'packageRoot' | 'workspaceRoots'>,
  given: string | undefined,
): Promise<ModelAnswer> {
  const name = given ?? model.name ?? (model.apiKey === undefined && model.baseUrl === undefined ? SCRIPTED : undefined);
  if (name === undefined) return { ok: false, message: 'is needed: no default model is configured (PILOTHOUSE_MODEL)' };
  const sample = sampleScript(packageRoot);
  if (name === SCRIPTED) return { ok: true, model: scriptedBy(sample) };
  const script = scriptOf(name);
  if (script === null) return { ok: true, model: name };
  const file = await realpath(script).catch(() => null);
  const allowed = await Promise.all([path.dirname(sample), ...workspaceRoots.server].map((root) => realpath(root).catch(() => null)));
  const isAllowed = file !== null && allowed.some((root) => root !== null && file.startsWith(`${root}${path.sep}`));
  return isAllowed ? { ok: true, model: scriptedBy(file) } : { ok: false, message: 'names no script where workspaces may lie' };
}
