import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'

import { session } from '#web/session/session.ts'
import { tidyUp } from '#web/testing/render-part.tsx'

import type { Item, Items } from './machine.ts'
import { store } from './store.ts'
import { openOutbox, useAllWaiting, useIsMoving, useWaiting } from './waiting.ts'

tidyUp()

const DECISION: Item = {
  id: 'i1',
  userId: 'ana',
  key: 'a key of sixteen',
  order: 1,
  action: { kind: 'move', watchlistId: 'w1', cardId: 'tram', status: 'WATCHED' },
  title: 'Night Tram',
  state: 'refused',
  refusal: { reason: 'gone' },
  tries: 0,
}
const SECOND: Item = { ...DECISION, id: 'i2', order: 2, state: 'waiting', refusal: undefined, needs: 'i1' }

/** The database of a device on which Ana left two things that cannot be sent. */
function keepForAna(): void {
  const kept: Items = [DECISION, SECOND]
  const itemsOf = async (userId: string) => kept.filter((item) => item.userId === userId)
  vi.spyOn(store, 'read').mockImplementation(itemsOf)
  vi.spyOn(store, 'apply').mockImplementation(itemsOf)
}

function signIn(userId: string): void {
  const user = { userId, username: userId, loginId: `${userId}@example.org` }
  vi.spyOn(session, 'current').mockReturnValue({ state: 'signed-in', user })
}

function Card() {
  const all = useAllWaiting()
  const here = useWaiting('tram')
  const isMoving = useIsMoving('tram')
  return <p>{`all ${all.length}, here ${here.length}, ${isMoving ? 'decided' : 'not decided'}`}</p>
}

test('the next user does not see the waiting actions of the previous one', async () => {
  keepForAna()
  signIn('ana')
  await openOutbox()
  const { unmount } = render(<Card />)
  expect(screen.getByText('all 2, here 2, decided')).toBeDefined()
  unmount()

  signIn('ben')
  render(<Card />)

  expect(screen.getByText('all 0, here 0, not decided')).toBeDefined()
})

test('actions that are loaded after an account switch are not shown to the next user', async () => {
  keepForAna()
  signIn('carla')
  await openOutbox()
  const found = Promise.withResolvers<Items>()
  vi.spyOn(store, 'read').mockReturnValueOnce(found.promise)
  signIn('ana')
  const opening = openOutbox()

  signIn('ben')
  render(<Card />)
  found.resolve([DECISION])
  await opening

  expect(screen.getByText('all 0, here 0, not decided')).toBeDefined()
})
