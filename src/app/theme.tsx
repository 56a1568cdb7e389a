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

function switchTheme(window: Window): void {
  const next: Theme = shownTheme(window) === 'dark' ? 'light' : 'dark';
  window.document.documentElement.dataset['theme'] = next;
  try {
    window.localStorage.setItem(storageKey, next);
  } catch {
    // Storage is forbidden in this browser: the choice lasts until the page is left.
  }
}

/** Both pictures are there; the style sheet shows the one of the theme that would come. */
export const ThemeToggle = () => (
  <button type="button" className="theme-toggle" onClick={() => switchTheme(window)}>
    <span className="sr-only">Switch theme: cave (dark) or quarry (light)</span>
    <svg viewBox="0 0 24 24" className="theme-sun" aria-hidden="true">
      <path d="M12 7.2 15.6 9 16.8 12.6 14.4 16.2 10.2 16.8 7.2 13.8 7.8 9.6Z" fill="currentColor" />
      <path d="M12 1.5V4M12 20v2.5M1.5 12H4M20 12h2.5M4.5 4.5 6.3 6.3M17.7 17.7 19.5 19.5M19.5 4.5 17.7 6.3M6.3 17.7 4.5 19.5" />
    </svg>
    <svg viewBox="0 0 24 24" className="theme-moon" aria-hidden="true">
      <path d="M14.5 2.5 8.5 4 4 9.5 4.5 15.5 9 20.5 15.5 21 20.5 16.5 15 16 10.5 12.5 10.5 7Z" fill="currentColor" />
    </svg>
  </button>
);
