import { AuthError } from 'aws-amplify/auth'
import { expect, test } from 'vitest'

import { identityFailure } from './failures.ts'

const FALLBACK = 'An unknown error occurred during login'

test('a message from the identity service is shown with its error code', () => {
  const error = new AuthError({ name: 'NotAuthorizedException', message: 'Incorrect username or password.' })

  expect(identityFailure(error, FALLBACK)).toEqual({
    code: 'NotAuthorizedException',
    message: 'Incorrect username or password.',
  })
})

test('the action’s fallback text is shown if the service sends no message', () => {
  expect(identityFailure(new AuthError({ name: 'CodeMismatchException', message: '' }), FALLBACK)).toEqual({
    code: 'CodeMismatchException',
    message: FALLBACK,
  })
})

test.each([new SyntaxError('Unexpected end of JSON input'), new TypeError('x is undefined'), 'thrown text', undefined])(
  'a message not meant for users is replaced by the fallback text: %s',
  (thrown) => {
    expect(identityFailure(thrown, FALLBACK)).toEqual({ code: 'UnknownError', message: FALLBACK })
  },
)
