/** Whether single keys act; a person whose software speaks or dictates may need them off. */
const KEY = 'pilothouse.shortcuts';

export function shortcutsAreOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

export function setShortcuts(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off');
  } catch {
    // A browser that keeps nothing: they stay on.
  }
}
