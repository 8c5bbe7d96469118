import { SCRIPTED, scriptOf } from '@/lib/domain/model-name';

/** `scripted:/where/it/lies/script.json` is a script, and where it lies is nobody's concern here. */
export function modelLabel(model: string): string {
  const script = scriptOf(model);
  if (script === null) return model;
  const file = script.split('/').at(-1) ?? '';
  return file === 'script.json' ? SCRIPTED : `${SCRIPTED} (${file})`;
}
