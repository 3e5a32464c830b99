/** Secret scanners find tokens by this pattern. The last six characters are a checksum of the 30 before. */
export const PERSONAL_TOKENS = /mqp_[\dA-Za-z]{36}/gu
export const PERSONAL_TOKEN_PREFIX = 'mqp_'

/** For how many days a token can be valid; null is without end. */
export const TOKEN_DAYS = [7, 30, 90, 365, null] as const
