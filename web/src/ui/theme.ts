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

/** Shows a theme; theme.css reads `data-theme`, and without it follows the system. Call once before the first paint. */
export function applyTheme(choice: ThemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = choice
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
