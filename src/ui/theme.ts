export type Theme = 'system' | 'light' | 'dark';

const themes: readonly Theme[] = ['system', 'light', 'dark'];
const key = 'kadmit-theme';

/** The stored theme; a page from disk may have no storage. */
export function readStoredTheme(): Theme {
  try {
    const stored = localStorage.getItem(key);
    return themes.find((theme) => theme === stored) ?? 'system';
  } catch {
    return 'system';
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(key, theme);
  } catch {
    // The choice lasts until the page is closed.
  }
}

export const nextTheme = (theme: Theme): Theme => themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
