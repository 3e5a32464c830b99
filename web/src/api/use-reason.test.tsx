import { renderHook } from '@testing-library/react'
import { AuthError } from 'aws-amplify/auth'
import { expect, test } from 'vitest'

import { ApiError } from './api-error.ts'
import { useReason } from './use-reason.ts'

const refused = new AuthError({ name: 'TooManyRequestsException', message: 'Rate exceeded' })
const broken = new AuthError({ name: 'InternalErrorException', message: 'Internal server error' })

test.each([
  [new ApiError('NETWORK_ERROR', 'Request failed: x'), 'Network error. Please check your connection.'],
  [new ApiError('SERVER_ERROR', 'Server error: 500'), 'Server error. Please try again later.'],
  [new ApiError('REFRESH_ERROR', 'x', { cause: refused }), 'Rate exceeded'],
  [new ApiError('REFRESH_ERROR', 'x', { cause: broken }), 'Server error. Please try again later.'],
  [new ApiError('REFRESH_ERROR', 'x', { cause: new SyntaxError('<') }), 'An unknown error occurred refreshing token'],
  [new ApiError('BAD_REQUEST', 'name: This is too long'), 'This is too long'],
])('the error "%s" becomes a message for the user', (error, reason) => {
  const { result } = renderHook(() => useReason())

  expect(result.current(error)).toBe(reason)
})

test.each([
  ['FETCH_ERROR', 'Server error. Please try again later.'],
  ['UPDATE_ERROR', 'Please check your input and try again.'],
  [undefined, 'Please check your input and try again.'],
])('a reply with an unexpected shape gets the message for failures of kind %s', (kind, reason) => {
  const { result } = renderHook(() => useReason())

  expect(result.current(new ApiError('VALIDATION_ERROR', 'Validation error: x'), kind)).toBe(reason)
})
