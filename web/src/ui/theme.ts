export const THEME_CHOICES = ['dark', 'light', 'system'] as const
export type ThemeChoice = (typeof THEME_CHOICES)[number]

const STORAGE_KEY = 'marquee.theme'

/** The stored choice, `system` without one. */
export function storedTheme(): ThemeChoice {
  try {
    const stored = localStorage.getItem(STORAGE_KEY)
    return THEME_CHOICES.find((choice) => choice === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Chooses which theme colour of the page the browser uses. */
function mediaOf(scheme: string | undefined, choice: ThemeChoice): string {
  if (choice === 'system') return `(prefers-color-scheme: ${scheme})`
  return scheme === choice ? 'all' : 'not all'
}

/**
 * Shows a theme. theme.css reads `data-theme`, and follows the system without it. public/boot.js does the same for the
 * stored choice before the first paint.
 */
export function applyTheme(choice: ThemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = choice
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.setAttribute('media', mediaOf(meta.dataset['scheme'], choice))
  }
}

/** Shows a theme and stores it. */
export function chooseTheme(choice: ThemeChoice): void {
  applyTheme(choice)
  try {
    localStorage.setItem(STORAGE_KEY, choice)
  } catch {
    // If the browser stores nothing, the choice lasts until the page is left.
  }
}
