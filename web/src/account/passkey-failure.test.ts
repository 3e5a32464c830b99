import { expect, test } from 'vitest'

import auth from '#web/i18n/locales/en/auth-screens.json'

import { passkeyFailure } from './failures.ts'

const named = (name: string) => Object.assign(new Error('for programs'), { name })

test.each([
  ['PasskeyNotSupported', 'notSupported', 'error'],
  ['PasskeyAlreadyExists', 'exists', 'error'],
  ['PasskeyRegistrationCanceled', 'notMade', 'info'],
  ['PasskeyAuthenticationCanceled', 'notUsed', 'info'],
  ['PasskeyOperationAborted', 'aborted', 'info'],
  ['RelyingPartyMismatch', 'otherAddress', 'error'],
  ['PasskeyRegistrationFailed', 'makingFailed', 'error'],
  ['PasskeyRetrievalFailed', 'readingFailed', 'error'],
  ['InvalidPasskeyRegistrationOptions', 'misconfigured', 'error'],
  ['InvalidPasskeyAuthenticationOptions', 'misconfigured', 'error'],
] as const)('the passkey failure %s has the text %s', (name, key, tone) => {
  expect(passkeyFailure(named(name))).toEqual({ text: `passkeyErrors.${key}`, tone })
  expect(auth.passkeyErrors[key]).not.toBe('')
})

test.each([named('NotAuthorizedException'), named('constructor'), null, 'text'])(
  'the error %s is not treated as a passkey failure',
  (error) => {
    expect(passkeyFailure(error)).toBeUndefined()
  },
)
