import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'

import { WaitingItems } from '#web/features/movies/waiting/lazy-waiting.tsx'
import type { Item } from '#web/offline/outbox/machine.ts'
import { fakeApi } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aComment, aProfile } from '#web/testing/samples.ts'

import { CommentItem } from './comment-item.tsx'

tidyUp()

const COMMENT = aComment(1, 'Ana', { content: 'Bring popcorn' })

const WAITING: Item = {
  id: 'i1',
  userId: 'ana',
  key: 'a key of sixteen',
  order: 1,
  action: { kind: 'edit', watchlistId: 'w1', cardId: 'c1', commentId: COMMENT.commentId, content: 'Bring salt' },
  title: 'Night Tram',
  state: 'waiting',
  tries: 0,
}

async function show(waiting: Item): Promise<string> {
  fakeApi({ getProfile: () => aProfile('Ana') })
  await WaitingItems.preload()
  await renderPart(<CommentItem comment={COMMENT} waiting={waiting} actions={undefined} />)
  return screen.getByRole('listitem').textContent
}

test('a comment shows its edit before the edit is sent', async () => {
  const shown = await show(WAITING)

  expect(shown).toContain('Bring salt')
  expect(shown).not.toContain('Bring popcorn')
  expect(shown).toContain('Waiting')
})

test('a comment whose edit was rejected shows the saved text, and the rejected text with the reason', async () => {
  const shown = await show({ ...WAITING, state: 'refused', refusal: { reason: 'unsure' } })

  expect(shown).toMatch(/Bring popcorn.*Not sent.*Bring salt.*There was no answer for days/u)
})

test('a rating that is not sent yet shows its stars and note', async () => {
  await WaitingItems.preload()
  const body = { stars: 4.5, note: 'Better the second time' }
  const item: Item = { ...WAITING, action: { kind: 'viewing', watchlistId: 'w1', cardId: 'c1', body } }
  const { container } = await renderPart(<WaitingItems kind="viewing" items={[item]} />)

  expect(container.textContent).toMatch(/Seen: Night Tram · Waiting.*4\.5 stars.*Better the second time/u)
})
