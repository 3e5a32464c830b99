import { AuthError } from 'aws-amplify/auth'
import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { ApiError, type ApiErrorKind } from '#web/api/api-error.ts'
import { useReason } from '#web/api/use-reason.ts'

import ar from './locales/ar/problems.json'
import de from './locales/de/problems.json'
import es from './locales/es/problems.json'
import fr from './locales/fr/problems.json'
import pt from './locales/pt-BR/problems.json'
import { messagesIn } from './message-patterns.ts'
import { translateServerMessages } from './server-message.ts'

describe('a German page', () => {
  beforeEach(() => translateServerMessages(messagesIn(de)))
  afterEach(() => translateServerMessages(undefined))

  const reasonOf = (error: unknown) => renderHook(() => useReason()).result.current(error)

  test.each<[ApiErrorKind, string, string]>([
    ['BAD_REQUEST', 'Bad request', 'Bitte prüfe deine Eingaben und versuche es noch einmal.'],
    ['BAD_REQUEST', 'times: This time is in the past', 'Dieser Termin liegt in der Vergangenheit'],
    [
      'BAD_REQUEST',
      'A watchlist cannot have more than 50 members',
      'Eine Watchlist kann höchstens 50 Mitglieder haben',
    ],
    [
      'BAD_REQUEST',
      'A watchlist cannot have more than 50 members, including those who are invited',
      'Eine Watchlist kann höchstens 50 Mitglieder haben, Eingeladene mitgezählt',
    ],
    [
      'BAD_REQUEST',
      'No row is a movie. Row 2: The title is missing',
      'Keine Zeile ist ein Film. Zeile 2: Der Titel fehlt',
    ],
    ['UNAUTHORIZED', 'Unauthorized access', 'Dazu hast du keine Berechtigung.'],
    ['UNAUTHORIZED', 'This invitation is for Ana {{name}}.', 'Diese Einladung ist für Ana {{name}}.'],
    ['NOT_FOUND', 'Resource not found', 'Das gibt es hier nicht.'],
    ['CONFLICT', 'This has changed in the meantime', 'Das hat sich inzwischen geändert'],
    [
      'TOO_MANY_REQUESTS',
      'Too many requests. Please wait a moment and try again.',
      'Zu viele Anfragen. Bitte warte einen Moment und versuche es noch einmal.',
    ],
  ])('the reason of %s "%s" is shown as "%s"', (kind, message, reason) => {
    expect(reasonOf(new ApiError(kind, message))).toBe(reason)
  })

  test.each<[ApiErrorKind, string]>([
    ['BAD_REQUEST', 'Bitte prüfe deine Eingaben und versuche es noch einmal.'],
    ['CONFLICT', 'Das hat sich inzwischen geändert'],
    ['SERVICE_UNAVAILABLE', 'Der Dienst ist nicht verfügbar. Bitte versuche es gleich noch einmal.'],
  ])('a failure of type %s with an untranslated message shows a text of its type', (kind, reason) => {
    expect(reasonOf(new ApiError(kind, 'A message of a later version'))).toBe(reason)
  })

  test.each([
    ['Attempt limit exceeded, please try after some time.', 'Zu viele Versuche. Bitte versuche es später noch einmal.'],
    ['A message of a later version', 'An unknown error occurred refreshing token'],
  ])('the user pool’s message "%s" is shown as "%s"', (message, reason) => {
    const cause = new AuthError({ name: 'TooManyRequestsException', message })

    expect(reasonOf(new ApiError('REFRESH_ERROR', 'x', { cause }))).toBe(reason)
  })
})

test.each([
  ['A message of a later version', 'A message of a later version'],
  ['times: Two of the times are the same', 'Two of the times are the same'],
  ['groups.nights: This is not a choice', 'This is not a choice'],
  ['title: Too big: expected string to have <=300 characters; year: Invalid input', 'Bad request'],
  ['timeZone: Invalid input: expected string, received undefined', 'Bad request'],
  ['Invalid or expired invitation link', 'Invalid or expired invitation link'],
  ['Another night is on: end it first', 'Another night is on: end it first'],
])('an English page shows the message "%s" as "%s"', (message, shown) => {
  expect(new ApiError('BAD_REQUEST', message).message).toBe(shown)
})

test.each(Object.entries({ ar, de, es, fr, 'pt-BR': pt }))('no message in %s names a field', (_language, messages) => {
  const texts = Object.values(messages).flatMap((text) => (typeof text === 'string' ? text : Object.values(text)))

  expect(texts.filter((text) => /^[a-z]\w*: /u.test(text))).toEqual([])
})

test('messages are translated into Arabic', () => {
  expect(messagesIn(ar)('This night has ended')).toBe('انتهت هذه السهرة')
})
