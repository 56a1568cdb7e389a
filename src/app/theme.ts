const storageKey = 'theme';

type Theme = 'dark' | 'light';

/**
 * Runs inline in the head, before the first paint, so that a chosen theme never flashes. Without a choice the style
 * sheet follows the system.
 */
export const themeScript =
  `try{var t=localStorage.getItem('${storageKey}');` +
  `if(t==='dark'||t==='light')document.documentElement.dataset.theme=t}catch(e){}`;

const shownTheme = (window: Window): Theme => {
  const chosen = window.document.documentElement.dataset['theme'];
  if (chosen === 'dark' || chosen === 'light') return chosen;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
};

/** Shows the other theme and remembers it for the next visit. */
export function switchTheme(window: Window): void {
  const next: Theme = shownTheme(window) === 'dark' ? 'light' : 'dark';
  window.document.documentElement.dataset['theme'] = next;
  try {
    window.localStorage.setItem(storageKey, next);
  } catch {
    // Storage is forbidden in this browser: the choice lasts until the page is left.
  }
}
