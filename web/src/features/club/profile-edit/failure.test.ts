import { expect, test } from 'vitest'

import { ApiError, type ApiErrorKind } from '#web/api/api-error.ts'

import { profileFailure } from './picture-section.tsx'

const KINDS: ['fetch' | 'change', ApiErrorKind, string][] = [
  ['fetch', 'NETWORK_ERROR', 'FETCH_ERROR'],
  ['fetch', 'UNAUTHORIZED', 'UNAUTHORIZED'],
  ['change', 'UNAUTHORIZED', 'UNAUTHORIZED'],
  ['change', 'BAD_REQUEST', 'VALIDATION_ERROR'],
  ['change', 'VALIDATION_ERROR', 'VALIDATION_ERROR'],
  ['change', 'NETWORK_ERROR', 'UPLOAD_ERROR'],
  ['change', 'SERVER_ERROR', 'UPLOAD_ERROR'],
]

test.each(KINDS)('a call to %s a profile that fails with %s is a failure of kind %s', (action, kind, failure) => {
  expect(profileFailure(action, new ApiError(kind, 'words'))).toBe(failure)
})
