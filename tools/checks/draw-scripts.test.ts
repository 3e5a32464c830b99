import { execFile } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { DRAW_RULES, type DrawRule } from '../../contract/src/entities/draw.ts'
import {
  blockMessage,
  bytesOfHex,
  canonicalTable,
  integersFrom,
  pickTickets,
  ticketText,
} from '../../contract/src/rules/draw.ts'
import { read, root } from './repository.ts'

const SCRIPTS = { 'check-draws.py': 'python3', 'check-draws.mjs': process.execPath } as const
const RECEIPTS = 200
const FILTERS = [null, { maxRuntime: 120, withoutGenres: ['Krimi', 'Comédie'] }, { watchable: true }]
const NAMES = ['Ana', 'Zoë', 'ben', '日本', '🦊', '\uFF5Efin']

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const byCodeUnits = (one: string, other: string) => (one < other ? -1 : 1)
/** A different text for each place, the same in each run. */
const hexOf = (place: string) => sha256(`receipt ${place}`)

/** A right receipt; different ones have different rules, sizes, filters, picks and seeds. */
function receiptOf(drawNumber: number, size = 1 + (drawNumber % 17)) {
  const rule: DrawRule = DRAW_RULES[drawNumber % 3] ?? 'cards'
  const cards = Array.from({ length: size }, (_, n) => {
    const [cardId, secret] = [`card-${n}`, hexOf(`${drawNumber} ${n}`).slice(0, 32)]
    return { cardId, secret, ticket: sha256(ticketText(cardId, secret)) }
  })
  const ticketsOf = (own: typeof cards) => own.map(({ ticket }) => ticket).toSorted(byCodeUnits)
  const isNamed = drawNumber % 5 !== 0
  const people = NAMES.toSorted(byCodeUnits)
    .map((username, n) => ({
      username: isNamed ? username : null,
      weight: rule === 'waiting' ? 1 + ((drawNumber * n) % 10) : 1,
      // Some cards are wanted by two.
      tickets: ticketsOf(cards.filter((_card, c) => c % NAMES.length === n || (c % 4 === 0 && n === 1))),
    }))
    .filter(({ tickets }) => tickets.length > 0)
  const facts = {
    watchlistId: '00000000-0000-4000-8000-000000000001',
    drawNumber,
    rule,
    filter: FILTERS[drawNumber % 3] ?? null,
    picks: [1, 3, 5, 7][drawNumber % 4] ?? 1,
  }
  const table = {
    ...facts,
    people: rule === 'cards' && size > 0 ? [{ username: null, weight: 1, tickets: ticketsOf(cards) }] : people,
    serverSeed: hexOf(`${drawNumber} server`),
  }
  const seeds = Array.from({ length: 1 + (drawNumber % 4) }, (_, n) => hexOf(`${drawNumber} seed ${n}`))
  const blockOf = (index: number) =>
    createHmac('sha256', bytesOfHex(table.serverSeed)).update(blockMessage(index, seeds)).digest()
  const picked = pickTickets(table.people, facts.picks, integersFrom(blockOf)).map(({ ticket, odds }) => {
    const card = cards.find((each) => each.ticket === ticket)
    return { ticket, odds, cardId: card?.cardId ?? '', secret: card?.secret ?? '' }
  })
  const commitment = sha256(canonicalTable(table))
  const hashes = seeds.map((seed) => createHash('sha256').update(bytesOfHex(seed)).digest('hex')).toSorted(byCodeUnits)
  return { ...facts, status: 'revealed', table, commitment, hashes, seeds, picked }
}

type Receipt = ReturnType<typeof receiptOf>

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-receipts-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

/** Whether the script accepts the receipts, and its lines about those that it refuses. */
async function run(script: keyof typeof SCRIPTS, receipts: readonly Receipt[]) {
  const path = join(folder, 'receipts.json')
  await writeFile(path, JSON.stringify(receipts))
  const ran = promisify(execFile)(SCRIPTS[script], [join(root, 'docs/product', script), path])
  const { stdout, code } = await ran.then(
    (result) => ({ ...result, code: 0 }),
    (error: { stdout: string; code: number }) => error,
  )
  const lines = stdout.trim().split('\n')
  return { code, lines: lines.length, refused: lines.filter((line) => !line.endsWith(': right')) }
}

/** Changes of a receipt after its reveal, and what the scripts say. */
const CHANGES: Record<string, [change: (receipt: Receipt) => void, says: string]> = {
  'an exchanged ticket': [
    ({ table }) => table.people[0]?.tickets.splice(0, 1, '0'.repeat(64)),
    'the table is not the one of the commitment',
  ],
  'another seed': [({ seeds }) => seeds.splice(0, 1, hexOf('other')), 'the seeds draw other tickets'],
  'another hash': [({ hashes }) => hashes.splice(0, 1, hexOf('other')), 'the seeds are not the ones of the hashes'],
  'a missing hash': [({ hashes }) => hashes.pop(), 'the seeds are not the ones of the hashes'],
  'another weight': [
    ({ table }) => Object.assign(table.people[0] ?? {}, { weight: 7 }),
    'the table is not the one of the commitment',
  ],
  'a changed filter': [(it) => Object.assign(it, { filter: { maxRuntime: 90 } }), 'filter is not the one of the table'],
  'a reordered table': [({ table }) => table.people.reverse(), 'the table is not in order'],
  'the card of another ticket': [
    ({ picked }) => Object.assign(picked[0] ?? {}, { cardId: 'card-9' }),
    'a ticket is not the one of its card',
  ],
  'other odds': [({ picked }) => Object.assign(picked[0] ?? {}, { odds: 0.987 }), 'the odds are wrong'],
  // Last, because the scripts sort receipts by their number.
  'another draw number': [(it) => Object.assign(it, { drawNumber: 5 }), 'drawNumber is not the one of the table'],
}

describe.each(Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[])('docs/product/%s', (script) => {
  test('docs/product/draws.md shows the script', () => {
    expect(read('docs/product/draws.md')).toContain(read(`docs/product/${script}`))
  })

  test('the script accepts 200 receipts that cover all rules, shortlists and filters', async () => {
    const receipts = Array.from({ length: RECEIPTS }, (_, n) => receiptOf(n + 1))

    expect(await run(script, receipts)).toEqual({ code: 0, lines: RECEIPTS, refused: [] })
  })

  test('the script refuses each changed receipt and says why', async () => {
    const receipts = Object.values(CHANGES).map(([change]) => {
      const receipt = structuredClone(receiptOf(4))
      change(receipt)
      return receipt
    })

    const { code, refused } = await run(script, receipts)

    expect([code, refused.length]).toEqual([1, receipts.length])
    for (const [n, [, says]] of Object.values(CHANGES).entries()) expect(refused[n]).toContain(says)
  })

  test('the script accepts a draw that found no movie', async () => {
    expect(await run(script, [receiptOf(1, 0), receiptOf(2, 0), receiptOf(3, 0)])).toMatchObject({
      code: 0,
      refused: [],
    })
  })

  test('the script accepts receipts of the older kind and reports them as such', async () => {
    const { hashes: _hashes, ...older } = receiptOf(1)
    const { code, refused } = await run(script, [older, { ...receiptOf(2), hashes: null }] as unknown as Receipt[])

    const kind = 'right (older kind, without hashes)'
    expect([code, refused]).toEqual([0, [`Draw 1: ${kind}`, `Draw 2: ${kind}`]])
  })

  test('the script names the devices that caused a draw to be replaced', async () => {
    const replaced = { ...receiptOf(1), status: 'replaced', absent: [{ name: 'Ben', hash: hexOf('absent') }] }
    const { code, refused } = await run(script, [replaced])

    expect([code, refused]).toEqual([0, ['Draw 1: replaced because of absent devices: Ben, cannot be checked']])
  })

  test('the script reports a missing draw number', async () => {
    const { code, refused } = await run(script, [receiptOf(1), receiptOf(2), receiptOf(4)])

    expect([code, refused]).toEqual([1, ['Draw 3: is missing']])
  })
})
