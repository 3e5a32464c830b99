import type { LiveEvent } from '@marquee/contract/live-events'
import { expect, test } from 'vitest'

import { createEventQueue } from './event-queue.ts'

const event = (kind: LiveEvent['kind'], cardId?: string): LiveEvent => ({
  kind,
  watchlistId: 'w1',
  by: 'Ana',
  ...(cardId === undefined ? {} : { cardId }),
})

test('events are handled one at a time, and waiting duplicates are merged', async () => {
  const log: string[] = []
  const hear = createEventQueue(async ({ kind, cardId }) => {
    log.push(`begin ${kind} ${cardId}`)
    await Promise.resolve()
    log.push(`end ${kind} ${cardId}`)
  })

  hear(event('comments-changed', 'a'))
  hear(event('comments-changed', 'a'))
  hear(event('comments-changed', 'a'))
  hear(event('comments-changed', 'b'))
  hear(event('card-changed', 'a'))

  await expect
    .poll(() => log)
    .toEqual([
      'begin comments-changed a',
      'end comments-changed a',
      'begin comments-changed a',
      'end comments-changed a',
      'begin comments-changed b',
      'end comments-changed b',
      'begin card-changed a',
      'end card-changed a',
    ])
})
