import { expect, test } from 'vitest'

import { ApiError, type ApiErrorKind } from '#web/api/api-error.ts'

import { type CommentAction, commentFailure } from './comment-failure.tsx'

test.each<[CommentAction, ApiErrorKind, string]>([
  ['load', 'SERVER_ERROR', 'FETCH_ERROR'],
  ['add', 'BAD_REQUEST', 'CREATE_ERROR'],
  ['add', 'VALIDATION_ERROR', 'CREATE_ERROR'],
  ['add', 'NETWORK_ERROR', 'FETCH_ERROR'],
  ['edit', 'SERVER_ERROR', 'EDIT_ERROR'],
  ['edit', 'NOT_FOUND', 'NOT_FOUND'],
  ['delete', 'BAD_REQUEST', 'DELETE_ERROR'],
  ['delete', 'UNAUTHORIZED', 'UNAUTHORIZED'],
])('the action %s that fails with %s shows a failure of kind %s', (action, kind, failure) => {
  expect(commentFailure(action, new ApiError(kind, 'x'))).toBe(failure)
})
