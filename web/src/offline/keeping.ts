/** The caches and databases of this device whose names begin like this have something of its user. */
export const OF_USER = 'marquee-'
/** What was read. */
export const KEPT_DATABASE = `${OF_USER}kept`
/** Pictures. The service worker fills it while it is there. */
export const KEPT_IMAGES = `${OF_USER}images`

const SETTING = 'marquee.keep'

/** Whether this device keeps what its user sees, so that it opens without a connection. */
export function keepsOnDevice(): boolean {
  try {
    return localStorage.getItem(SETTING) !== 'off'
  } catch {
    // A browser that stores no setting stores nothing else.
    return false
  }
}

export function setKeepsOnDevice(isOn: boolean): void {
  if (isOn) localStorage.removeItem(SETTING)
  else localStorage.setItem(SETTING, 'off')
}
