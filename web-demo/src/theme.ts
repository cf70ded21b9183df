// The theme that the visitor chose, kept over reloads. It is read before anything is drawn, which IndexedDB cannot do.
const KEY = 'stowage-theme';

export function keepTheme(theme: 'light' | 'dark'): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Some browsers forbid it; the choice then lasts until the page is left.
  }
}

try {
  const kept = localStorage.getItem(KEY);
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset['theme'] = kept;
} catch {
  // As above.
}
