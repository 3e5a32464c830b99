import { expect, test } from 'vitest'

import { ApiError, type ApiErrorKind } from '#web/api/api-error.ts'

import { invitationFailure, serverMessage } from './failure.ts'

const KINDS: [ApiErrorKind, string][] = [
  ['BAD_REQUEST', 'INVITE_ERROR'],
  ['UNAUTHORIZED', 'UNAUTHORIZED'],
  ['NOT_FOUND', 'NOT_FOUND'],
  ['VALIDATION_ERROR', 'VALIDATION_ERROR'],
  ['SERVER_ERROR', 'INVITE_ERROR'],
  ['NETWORK_ERROR', 'INVITE_ERROR'],
  ['TOO_MANY_REQUESTS', 'INVITE_ERROR'],
]

test.each(KINDS)('an invitation that fails with %s is a failure of kind %s', (kind, failure) => {
  expect(invitationFailure('invite', new ApiError(kind, 'words'))).toBe(failure)
})

test('a refused acceptance is an ACCEPT_ERROR', () => {
  expect(invitationFailure('accept', new ApiError('BAD_REQUEST', 'words'))).toBe('ACCEPT_ERROR')
})

test.each([
  ['a refusal', new ApiError('NOT_FOUND', 'There is no such user', { status: 404 }), 'There is no such user'],
  ['no answer', new ApiError('NETWORK_ERROR', 'Request failed: gone'), undefined],
  ['a server error', new ApiError('SERVER_ERROR', 'Server error: 500', { status: 500 }), undefined],
  [
    'an answer that does not match the schema',
    new ApiError('VALIDATION_ERROR', 'Validation error: x', { status: 200 }),
    undefined,
  ],
  ['an expired session', new ApiError('UNAUTHORIZED', 'User is not authenticated'), undefined],
  ['an error of the app', new TypeError('x is undefined'), undefined],
])('the server’s message is shown to users only if it explains a refusal: %s', (_, error, words) => {
  expect(serverMessage(error)).toBe(words)
})
