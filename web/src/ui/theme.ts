export const THEME_CHOICES = ['dark', 'light', 'system'] as const
export type ThemeChoice = (typeof THEME_CHOICES)[number]

const STORAGE_KEY = 'marquee.theme'

/** The remembered choice; `system` where none was made, or where the browser keeps nothing. */
export function storedTheme(): ThemeChoice {
  try {
    const stored = localStorage.getItem(STORAGE_KEY)
    return THEME_CHOICES.find((choice) => choice === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Which of the page's theme colours, one for each scheme, the browser is to use. */
function mediaOf(scheme: string | undefined, choice: ThemeChoice): string {
  if (choice === 'system') return `(prefers-color-scheme: ${scheme})`
  return scheme === choice ? 'all' : 'not all'
}

/**
 * Shows a theme; theme.css reads `data-theme`, and without it follows the system. public/theme.js does the same for the
 * remembered choice before the first paint.
 */
export function applyTheme(choice: ThemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = choice
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.setAttribute('media', mediaOf(meta.dataset['scheme'], choice))
  }
}

/** Shows a theme and remembers it for the next visit. */
export function chooseTheme(choice: ThemeChoice): void {
  applyTheme(choice)
  try {
    localStorage.setItem(STORAGE_KEY, choice)
  } catch {
    // A browser that keeps nothing still shows the choice until the page is left.
  }
}
