/** How long id and access tokens live (identity.md 5.3). */
export const TOKEN_LIFETIME_SECONDS = 3600

/** How long one sign-in can be refreshed; a rotated refresh token gets what is left of it. */
export const SESSION_LIFETIME_MS = 30 * 24 * 3600_000

/** For how long after its rotation an old refresh token is still answered, so that two tabs may race. */
export const ROTATION_GRACE_MS = 60_000
