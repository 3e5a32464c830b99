/** What is noted of an account, so that its owner can see who did what and when. */
export const EVENT_KINDS = [
  'signed-up',
  'signed-in',
  'locked-out',
  'password-changed',
  'password-reset',
  'email-changed',
  'phone-changed',
  'second-factor-on',
  'second-factor-off',
  'recovery-codes-made',
  'recovery-code-used',
  'passkey-added',
  'passkey-removed',
  'device-remembered',
  'device-forgotten',
  'session-ended',
  'signed-out-everywhere',
  'data-exported',
] as const

export type EventKind = (typeof EVENT_KINDS)[number]
