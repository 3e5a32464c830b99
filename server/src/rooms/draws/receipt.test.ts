import { createHash, createHmac, webcrypto } from 'node:crypto'

import { describe, expect, test } from 'vitest'

import type { DrawReceipt, DrawRule } from '@marquee/contract/entities/draw'
import { type CheckableReceipt, checkReceipt, type Hashing, isCheckable } from '@marquee/contract/rules/check-receipt'
import {
  blockMessage,
  bytesOfHex,
  canonicalTable,
  integersFrom,
  pickTickets,
  ticketText,
} from '@marquee/contract/rules/draw'
import { DRAW_VECTORS as vectors } from '@marquee/contract/testing/draw-vectors'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const belowFrom = (serverSeed: string, seeds: readonly string[]) =>
  integersFrom((index) => createHmac('sha256', bytesOfHex(serverSeed)).update(blockMessage(index, seeds)).digest())

const hashing: Hashing = {
  sha256: async (data) => {
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data
    return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex')
  },
  hmac: async (key, message) => {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const imported = await webcrypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
    return new Uint8Array(await webcrypto.subtle.sign('HMAC', imported, message))
  },
}

test('the random integers agree with the test vectors', () => {
  const below = belowFrom(vectors.below.serverSeed, vectors.below.seeds)

  const integers = vectors.below.of.map((limit) => String(below(BigInt(limit))))

  expect(integers).toEqual(['0', '0', '0', '6', '38', '795', '3779877459', '3000515461160830848'])
})

describe('the test vectors of whole draws', () => {
  test.each(vectors.cases)('a draw matches the vector: $name', ({ table, canonical, commitment, seeds, picked }) => {
    const rule = table.rule as DrawRule

    expect(canonicalTable({ ...table, rule })).toBe(canonical)
    expect(sha256(canonical)).toBe(commitment)
    const tickets = pickTickets(table.people, table.picks, belowFrom(table.serverSeed, seeds))
    expect(tickets.map(({ ticket }) => ticket)).toEqual(picked.map(({ ticket }) => ticket))
    expect(picked.map(({ cardId, secret }) => sha256(ticketText(cardId, secret)))).toEqual(
      picked.map(({ ticket }) => ticket),
    )
  })
})

describe('a check of a receipt', () => {
  const receiptOf = (n: number): CheckableReceipt => {
    const vector = vectors.cases[n]
    if (vector === undefined) throw new Error('There is no such vector')
    const { table, commitment, hashes, seeds } = structuredClone(vector)
    const rule = table.rule as DrawRule
    const odds = pickTickets(table.people, table.picks, belowFrom(table.serverSeed, seeds)).map((pick) => pick.odds)
    return {
      watchlistId: table.watchlistId,
      drawNumber: table.drawNumber,
      status: 'revealed',
      rule,
      filter: table.filter,
      picks: table.picks,
      isBand: false,
      eligible: new Set(table.people.flatMap(({ tickets }) => tickets)).size,
      table: { ...table, rule },
      commitment,
      hashes,
      seeds,
      picked: vector.picked.map((pick, place) => ({ ...pick, odds: odds[place] ?? null })),
      preparedAt: '2026-05-01T20:00:00.000Z',
      revealedAt: '2026-05-01T20:00:01.000Z',
      by: 'Ana',
      nightId: null,
      absent: [],
    }
  }
  const wrongSteps = async (receipt: CheckableReceipt) =>
    (await checkReceipt(receipt, hashing)).filter(({ isRight }) => !isRight).map(({ step }) => step)

  test.each(vectors.cases.map(({ name }, n) => [name, n] as const))(
    'a check accepts the receipt of a test vector: %s',
    async (_name, n) => {
      expect(await wrongSteps(receiptOf(n))).toEqual([])
    },
  )

  const OTHER = 'f'.repeat(64)
  test.each<[string, (receipt: CheckableReceipt) => void, string[]]>([
    ['another ticket', (it) => void it.table.people[0]?.tickets.splice(-1, 1, OTHER), ['commitment']],
    ['another seed', (it) => void it.seeds.push(OTHER), ['hashes', 'stream']],
    [
      'another weight',
      (it) => void Object.assign(it.table.people[1] ?? {}, { weight: 9 }),
      ['commitment', 'stream', 'odds'],
    ],
    ['another filter', (it) => void Object.assign(it.table, { filter: { maxRuntime: 90 } }), ['table', 'commitment']],
    ['people in another order', (it) => void it.table.people.reverse(), ['table', 'commitment']],
    ['another draw number', (it) => void Object.assign(it, { drawNumber: 9 }), ['table']],
    ['another secret', (it) => void Object.assign(it.picked[0] ?? {}, { secret: '0'.repeat(32) }), ['tickets']],
    ['other odds', (it) => void Object.assign(it.picked[0] ?? {}, { odds: 0.9 }), ['odds']],
    ['no seed', (it) => void it.seeds.splice(0), ['seeds', 'hashes']],
    ['a missing hash', (it) => void it.hashes?.pop(), ['hashes']],
    ['another hash', (it) => void it.hashes?.push(OTHER), ['hashes']],
  ])('a check rejects a receipt with %s', async (_what, change, steps) => {
    const receipt = receiptOf(3)

    change(receipt)

    expect(await wrongSteps(receipt)).toEqual(steps)
  })

  test('a receipt without hashes of seeds passes all other checks', async () => {
    const steps = await checkReceipt({ ...receiptOf(0), hashes: null }, hashing)

    expect(steps.map(({ step, isRight }) => [step, isRight])).toEqual([
      ['table', true],
      ['commitment', true],
      ['seeds', true],
      ['stream', true],
      ['tickets', true],
      ['odds', true],
    ])
  })

  test.each<[string, Partial<DrawReceipt>]>([
    ['is only prepared', { status: 'prepared' }],
    ['has no table', { table: null }],
    ['has no commitment', { commitment: null }],
  ])('a draw that %s cannot be checked', (_what, change) => {
    expect([isCheckable(receiptOf(0)), isCheckable({ ...receiptOf(0), ...change })]).toEqual([true, false])
  })
})
