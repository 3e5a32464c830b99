import { render } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'

import { ApiError, type ApiErrorKind } from '#web/api/api-error.ts'
import german from '#web/i18n/locales/de/problems.json'
import { messagesIn } from '#web/i18n/message-patterns.ts'
import { translateServerMessages } from '#web/i18n/server-message.ts'

import { type CardAction, cardAdvice, cardFailure, CardFailureText } from './card-failure.tsx'

test.each<[CardAction, ApiErrorKind, string]>([
  ['load', 'NETWORK_ERROR', 'FETCH_ERROR'],
  ['load', 'VALIDATION_ERROR', 'FETCH_ERROR'],
  ['load', 'NOT_FOUND', 'NOT_FOUND'],
  ['reveal', 'NOT_FOUND', 'NOT_FOUND'],
  ['reveal', 'SERVER_ERROR', 'FETCH_ERROR'],
  ['add', 'BAD_REQUEST', 'CREATE_ERROR'],
  ['add', 'PAYLOAD_TOO_LARGE', 'FETCH_ERROR'],
  ['move', 'BAD_REQUEST', 'UPDATE_ERROR'],
  ['move', 'UNAUTHORIZED', 'UNAUTHORIZED'],
  ['edit', 'VALIDATION_ERROR', 'UPDATE_ERROR'],
  ['edit', 'NOT_FOUND', 'NOT_FOUND'],
  ['delete', 'NETWORK_ERROR', 'FETCH_ERROR'],
])('the action %s that fails with %s shows a failure of kind %s', (action, kind, failure) => {
  expect(cardFailure(action, new ApiError(kind, 'words'))).toBe(failure)
})

test.each<[CardAction, ApiErrorKind, string | undefined]>([
  ['move', 'NOT_FOUND', 'cardGone'],
  ['move', 'UNAUTHORIZED', 'membership'],
  ['add', 'NOT_FOUND', 'membership'],
  ['load', 'SERVER_ERROR', undefined],
])('the action %s that fails with %s shows the advice %s', (action, kind, advice) => {
  expect(cardAdvice(action, new ApiError(kind, 'words'))).toBe(advice)
})

test('a reveal from an empty box shows one translated sentence', () => {
  translateServerMessages(messagesIn(german))
  onTestFinished(() => translateServerMessages(undefined))
  const refused = new ApiError('NOT_FOUND', 'No cards to reveal from the box')

  const { container } = render(<CardFailureText action="reveal" error={refused} />)

  expect(container.textContent).toBe('In der Box sind keine Karten zum Aufdecken')
})
