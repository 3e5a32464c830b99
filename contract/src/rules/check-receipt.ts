import type { DrawReceipt, DrawTable } from '../entities/draw.ts'
import { blockMessage, bytesOfHex, canonicalTable, integersFrom, pickTickets, ticketText } from './draw.ts'

/** SHA-256 of bytes or of a text, as hex digits, and HMAC-SHA256. */
export type Hashing = {
  sha256: (data: string | Uint8Array<ArrayBuffer>) => Promise<string>
  hmac: (key: Uint8Array<ArrayBuffer>, message: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>
}

/** The steps of a check, in order. */
export const CHECK_STEPS = ['table', 'commitment', 'seeds', 'hashes', 'stream', 'tickets', 'odds'] as const
export type CheckStep = (typeof CHECK_STEPS)[number]

export type CheckedStep = { readonly step: CheckStep; readonly isRight: boolean }

/** Odds are floating-point numbers, which another program may round differently. */
const ODDS_PRECISION = 1e-9

/** A receipt that holds everything that a check needs. */
export type CheckableReceipt = DrawReceipt & { table: DrawTable & { serverSeed: string }; commitment: string }

export function isCheckable(receipt: DrawReceipt): receipt is CheckableReceipt {
  return receipt.status === 'revealed' && receipt.commitment !== null && typeof receipt.table?.serverSeed === 'string'
}

/** A receipt without hashes is of the older kind: the server knew all seeds before the last was fixed. */
export function isOfOlderKind({ hashes }: Pick<DrawReceipt, 'hashes'>): boolean {
  return hashes === null
}

/** Computes a draw again. A receipt of the older kind has no hashes to check. */
export async function checkReceipt(receipt: CheckableReceipt, hashing: Hashing): Promise<CheckedStep[]> {
  const { table, commitment, hashes, seeds, picked } = receipt
  const expected = await drawAgain(receipt, hashing)
  const tickets = await Promise.all(picked.map(async ({ cardId, secret }) => ticketOf(cardId, secret, hashing)))
  const isRight: Record<CheckStep, boolean> = {
    table: isInOrder(receipt),
    commitment: (await hashing.sha256(canonicalTable(table))) === commitment,
    seeds: seeds.length > 0,
    hashes: hashes === null || (isSortedOnce(hashes) && isSame(hashes, await hashesOf(seeds, hashing))),
    stream: isSame(
      picked.map(({ ticket }) => ticket),
      expected.map(({ ticket }) => ticket),
    ),
    tickets: isSame(
      picked.map(({ ticket }) => ticket),
      tickets,
    ),
    odds: picked.every(({ odds }, n) => Math.abs((odds ?? 0) - (expected[n]?.odds ?? 0)) < ODDS_PRECISION),
  }
  const steps = CHECK_STEPS.filter((step) => step !== 'hashes' || !isOfOlderKind(receipt))
  return steps.map((step) => ({ step, isRight: isRight[step] }))
}

/** The hashes of all seeds, sorted, each once. */
async function hashesOf(seeds: readonly string[], { sha256 }: Hashing): Promise<string[]> {
  const hashes = await Promise.all(seeds.map(async (seed) => await sha256(bytesOfHex(seed))))
  return [...new Set(hashes)].toSorted()
}

async function ticketOf(cardId: string, secret: string | null, { sha256 }: Hashing): Promise<string | null> {
  return secret === null ? null : await sha256(ticketText(cardId, secret))
}

/** The facts beside the table repeat it, and all names and tickets in it are sorted, each once. */
function isInOrder({ table, watchlistId, drawNumber, rule, filter, picks, eligible }: CheckableReceipt): boolean {
  const names = table.people.flatMap(({ username }) => username ?? [])
  const tickets = table.people.map((person) => person.tickets)
  return (
    canonicalTable({ ...table, watchlistId, drawNumber, rule, filter, picks }) === canonicalTable(table) &&
    new Set(tickets.flat()).size === eligible &&
    [names, ...tickets].every(isSortedOnce)
  )
}

const isSortedOnce = (values: readonly string[]) => values.every((value, n) => n === 0 || (values[n - 1] ?? '') < value)

const isSame = (some: readonly unknown[], others: readonly unknown[]) =>
  some.length === others.length && some.every((value, n) => value === others[n])

async function drawAgain({ table, seeds }: CheckableReceipt, { hmac }: Hashing) {
  const key = bytesOfHex(table.serverSeed)
  const blocks: Uint8Array[] = []
  // Two integers for each pick. One is skipped so rarely that this block is never the last.
  const count = Math.ceil(table.picks / 2) + 1
  for (let index = 0; index < count; index += 1) blocks.push(await hmac(key, blockMessage(index, seeds)))
  const blockOf = (index: number) => {
    const block = blocks[index]
    if (block === undefined) throw new Error('The stream is longer than the draw needs')
    return block
  }
  return pickTickets(table.people, table.picks, integersFrom(blockOf))
}
