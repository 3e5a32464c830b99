import { expect, test } from 'vitest'

import { mentionBefore, mentionsIn } from './mentions.ts'

const NAMES = ['Ana', 'Ana María', 'ben']

test.each<[string, string[]]>([
  ['@ben look', ['ben']],
  ['Look, @Ben!', ['ben']],
  ['(@BEN)', ['ben']],
  ['@ana maría and @ana', ['Ana María', 'Ana']],
  ['@anna', []],
  ['@benny', []],
  ['me@ben', []],
  ['@ ben', []],
  ['@', []],
  ['ben', []],
  ['@@ben', ['ben']],
])('%j mentions %j', (text, usernames) => {
  expect(mentionsIn(text, NAMES).map(({ username }) => username)).toEqual(usernames)
})

test('a mention runs from the at sign to the end of the name', () => {
  expect(mentionsIn('Hi @ana maría!', NAMES)).toEqual([{ start: 3, end: 13, username: 'Ana María' }])
})

test.each<[string, string[] | undefined]>([
  ['Hi @', ['Ana', 'Ana María', 'ben']],
  ['Hi @a', ['Ana', 'Ana María']],
  ['Hi @ANA M', ['Ana María']],
  ['Hi @x', undefined],
  ['Hi @ ', undefined],
  ['Hi', undefined],
  ['me@a', undefined],
  ['@ben ', undefined],
])('the names that complete %j are %j', (typed, matches) => {
  expect(mentionBefore(typed, typed.length, NAMES)?.matches).toEqual(matches)
})

test('only the text before the caret is completed', () => {
  expect(mentionBefore('Hi @ana', 2, NAMES)).toBeUndefined()
  expect(mentionBefore('Hi @ben', 4, NAMES)).toEqual({ start: 3, matches: ['Ana', 'Ana María', 'ben'] })
})
