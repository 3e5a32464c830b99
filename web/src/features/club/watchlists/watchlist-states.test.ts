import { expect, test } from 'vitest'

import { ApiError, type ApiErrorKind } from '#web/api/api-error.ts'

import { type WatchlistAction, watchlistFailure } from './watchlist-states.tsx'

const KINDS: [WatchlistAction, ApiErrorKind, string][] = [
  ['load', 'NOT_FOUND', 'NOT_FOUND'],
  ['load', 'VALIDATION_ERROR', 'FETCH_ERROR'],
  ['create', 'BAD_REQUEST', 'CREATE_ERROR'],
  ['create', 'UNAUTHORIZED', 'UNAUTHORIZED'],
  ['update', 'BAD_REQUEST', 'UPDATE_ERROR'],
  ['update', 'UNAUTHORIZED', 'UPDATE_ERROR'],
  ['update', 'NOT_FOUND', 'NOT_FOUND'],
  ['uploadImage', 'BAD_REQUEST', 'IMAGE_UPLOAD_ERROR'],
  ['uploadImage', 'VALIDATION_ERROR', 'IMAGE_UPLOAD_ERROR'],
  ['uploadImage', 'UNAUTHORIZED', 'UNAUTHORIZED'],
  ['uploadImage', 'NETWORK_ERROR', 'FETCH_ERROR'],
  ['deleteImage', 'BAD_REQUEST', 'IMAGE_DELETE_ERROR'],
  ['deleteImage', 'SERVER_ERROR', 'FETCH_ERROR'],
]

test.each(KINDS)('the action %s that fails with %s shows a failure of kind %s', (action, kind, failure) => {
  expect(watchlistFailure(action, new ApiError(kind, 'words'))).toBe(failure)
})
