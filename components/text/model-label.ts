/** `scripted:/where/it/lies/script.json` is a script, and where it lies is nobody's concern here. */
export function modelLabel(model: string): string {
  if (!model.startsWith('scripted:')) return model;
  const file = model.split('/').at(-1) ?? '';
  return file === 'script.json' ? 'scripted' : `scripted (${file})`;
}
