import { AuthError } from 'aws-amplify/auth'
import { expect, test } from 'vitest'

import { identityFailure } from './failures.ts'

const FALLBACK = 'An unknown error occurred during login'

test('the message of the service is shown with its code', () => {
  const error = new AuthError({ name: 'NotAuthorizedException', message: 'Incorrect username or password.' })

  expect(identityFailure(error, FALLBACK)).toEqual({
    code: 'NotAuthorizedException',
    message: 'Incorrect username or password.',
  })
})

test('the text of the action is shown if the service sends no message', () => {
  expect(identityFailure(new AuthError({ name: 'CodeMismatchException', message: '' }), FALLBACK)).toEqual({
    code: 'CodeMismatchException',
    message: FALLBACK,
  })
})

test.each([new SyntaxError('Unexpected end of JSON input'), new TypeError('x is undefined'), 'thrown text', undefined])(
  'words that were never meant for people are not shown: %s',
  (thrown) => {
    expect(identityFailure(thrown, FALLBACK)).toEqual({ code: 'UnknownError', message: FALLBACK })
  },
)
