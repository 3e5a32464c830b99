import { setImmediate as turn } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { nextTurn } from './turns.ts'

/** Counts the turns of the event loop while `works` are done. */
async function turnsDuring(works: readonly Promise<void>[]): Promise<number> {
  let turns = 0
  const state = { isDone: false }
  const all = Promise.all(works).then(() => {
    state.isDone = true
  })
  while (!state.isDone) {
    await turn()
    turns += 1
  }
  await all
  return turns
}

async function inSlices(count: number, slice: () => void = () => undefined): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await nextTurn()
    slice()
  }
}

test('sliced work yields to the event loop between slices', async () => {
  expect(await turnsDuring([inSlices(10)])).toBeGreaterThanOrEqual(10)
})

test('several jobs share the turns of the event loop, one slice each', async () => {
  const order: string[] = []
  const works = ['a', 'b'].map(async (name) => await inSlices(3, () => void order.push(name)))

  expect(await turnsDuring(works)).toBeGreaterThanOrEqual(6)
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
})
