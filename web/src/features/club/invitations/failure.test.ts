import { expect, test } from 'vitest'

import { ApiError } from '#web/api/api-error.ts'

import { serverMessage } from './failure.ts'

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
])('the message that users see after %s', (_, error, words) => {
  expect(serverMessage(error)).toBe(words)
})
