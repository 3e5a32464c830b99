import { expect, test } from 'vitest'

import { Problem, PROBLEMS, problemType } from './base/problems.ts'

test('each error has the status and message in docs/product/errors.md', () => {
  expect(PROBLEMS).toEqual({
    BAD_REQUEST: { status: 400, message: 'Bad request' },
    UNAUTHORIZED: { status: 401, message: 'Unauthorized access' },
    FORBIDDEN: { status: 403, message: 'Unauthorized access' },
    NOT_FOUND: { status: 404, message: 'Resource not found' },
    METHOD_NOT_ALLOWED: { status: 405, message: 'Method not allowed' },
    CONFLICT: { status: 409, message: 'This has changed in the meantime' },
    PAYLOAD_TOO_LARGE: { status: 413, message: 'The request is too large' },
    UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The content type must be application/json' },
    TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Please wait a moment and try again.' },
    SERVER_ERROR: { status: 500, message: 'Server error: 500' },
    SERVICE_UNAVAILABLE: { status: 503, message: 'The service is unavailable. Please try again in a moment.' },
  })
})

test.each([
  ['FORBIDDEN', 'UNAUTHORIZED'],
  ['UNAUTHORIZED', 'UNAUTHORIZED'],
  ['NOT_FOUND', 'NOT_FOUND'],
  ['BAD_REQUEST', 'BAD_REQUEST'],
] as const)('the problem type of %s is %s', (key, type) => {
  expect(problemType(key)).toBe(type)
})

test('a problem has the default message unless it is created with its own', () => {
  expect(new Problem('NOT_FOUND').message).toBe('Resource not found')
  expect(new Problem('NOT_FOUND', 'No cards to reveal from the box').message).toBe('No cards to reveal from the box')
})
