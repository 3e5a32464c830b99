import { expect, test } from 'vitest'

import { ApiError, type ApiErrorKind } from '#web/api/api-error.ts'

import { type CardAction, cardAdvice } from './card-failure.tsx'

test.each<[CardAction, ApiErrorKind, string | undefined]>([
  ['move', 'NOT_FOUND', 'cardGone'],
  ['move', 'UNAUTHORIZED', 'membership'],
  ['add', 'NOT_FOUND', 'membership'],
  ['load', 'SERVER_ERROR', undefined],
])('after %s fails with %s the advice is %s', (action, kind, advice) => {
  expect(cardAdvice(action, new ApiError(kind, 'words'))).toBe(advice)
})
