/** What Amplify names the failures of a browser that is asked for a passkey, and our text for each. */
const TEXTS = {
  PasskeyNotSupported: 'passkeyErrors.notSupported',
  PasskeyAlreadyExists: 'passkeyErrors.exists',
  PasskeyRegistrationCanceled: 'passkeyErrors.notMade',
  PasskeyAuthenticationCanceled: 'passkeyErrors.notUsed',
  PasskeyOperationAborted: 'passkeyErrors.aborted',
  RelyingPartyMismatch: 'passkeyErrors.otherAddress',
  PasskeyRegistrationFailed: 'passkeyErrors.makingFailed',
  PasskeyRetrievalFailed: 'passkeyErrors.readingFailed',
  InvalidPasskeyRegistrationOptions: 'passkeyErrors.misconfigured',
  InvalidPasskeyAuthenticationOptions: 'passkeyErrors.misconfigured',
} as const

/** A user who changed their mind does not need to be warned. */
const CALLED_OFF = new Set(['PasskeyRegistrationCanceled', 'PasskeyAuthenticationCanceled', 'PasskeyOperationAborted'])

export type PasskeyFailure = { text: (typeof TEXTS)[keyof typeof TEXTS]; tone: 'info' | 'error' }

/** Why the browser gave no passkey; undefined where something else failed. */
export function passkeyFailure(error: unknown): PasskeyFailure | undefined {
  if (!(error instanceof Error) || !isNamed(error.name)) return undefined
  return { text: TEXTS[error.name], tone: CALLED_OFF.has(error.name) ? 'info' : 'error' }
}

function isNamed(name: string): name is keyof typeof TEXTS {
  return Object.hasOwn(TEXTS, name)
}
