import { expect, test } from 'vitest'

import { streamText } from './stream-text.ts'

/** Pieces of ten characters, and how many of them were asked for. */
function manyPieces(count: number) {
  const state = { made: 0 }
  async function* make(): AsyncGenerator<string> {
    for (let n = 0; n < count; n += 1) {
      state.made += 1
      yield await Promise.resolve(`${String(n).padStart(9, '0')}\n`)
    }
  }
  return { state, pieces: make() }
}

test('the pieces of a text leave together, in their order', async () => {
  const { pieces } = manyPieces(5_000)

  const sent: string[] = []
  for await (const part of streamText(pieces)) sent.push(String(part))

  expect(sent.map(({ length }) => length)).toEqual([16_390, 16_390, 16_390, 830])
  expect(sent.join('').split('\n').slice(1_638, 1_640)).toEqual(['000001638', '000001639'])
})

test('an empty text has no parts', async () => {
  expect(await streamText(manyPieces(0).pieces).toArray()).toEqual([])
})

test('a text is made no further than its reader has read', async () => {
  const { pieces, state } = manyPieces(1_000_000)
  const stream = streamText(pieces)

  await stream[Symbol.asyncIterator]().next()
  const madeForOne = state.made
  stream.destroy()

  expect(madeForOne).toBeLessThanOrEqual(3 * 1_639)
})
