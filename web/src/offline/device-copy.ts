/** The caches and databases of this device whose names begin like this have something of its user. */
export const OF_USER = 'marquee-'
/** What was read. */
export const KEPT_DATABASE = `${OF_USER}kept`
/** What waits to be sent, for each user of this device. */
export const OUTBOX_DATABASE = `${OF_USER}outbox`
/** Pictures. The service worker fills it while it is there. */
export const KEPT_IMAGES = `${OF_USER}images`

/** The top of the watchlist that was shown last, in the local storage (last-screen.ts). */
export const LAST_SCREEN = 'marquee.last-screen'

export const KEEP_SETTING = 'marquee.keep'

/** Browsers without a local storage have kept none. */
export function forgetLastScreen(): void {
  try {
    localStorage.removeItem(LAST_SCREEN)
  } catch {
    // It is blocked.
  }
}

/** Whether this device keeps what its user sees, so that it opens without a connection. */
export function keepsOnDevice(): boolean {
  try {
    return localStorage.getItem(KEEP_SETTING) !== 'off'
  } catch {
    // A browser that stores no setting stores nothing else.
    return false
  }
}

export function setKeepsOnDevice(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEEP_SETTING)
  else localStorage.setItem(KEEP_SETTING, 'off')
}
