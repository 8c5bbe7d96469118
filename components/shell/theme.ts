export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** A cookie, so that the server writes the right scheme into the first byte and nothing flashes. */
export const THEME_COOKIE = 'pilothouse.theme';

export const themeOf = (value: string | undefined): Theme => THEMES.find((theme) => theme === value) ?? 'system';
