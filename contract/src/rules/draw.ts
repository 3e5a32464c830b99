import canonicalize from 'canonicalize'

import type { DrawPerson, DrawTable } from '../entities/draw.ts'

/** A block of 32 random bytes of a draw: HMAC-SHA256 of `blockMessage` with the server's seed as its key. */
export type BlockOf = (index: number) => Uint8Array

/** A random integer from 0 to `limit`, exclusive. */
export type Below = (limit: bigint) => bigint

const INTEGERS = 2n ** 64n
const INTEGERS_PER_BLOCK = 4

/** The text whose SHA-256 is the ticket of a card. */
export function ticketText(cardId: string, secret: string): string {
  return `marquee-ticket:${cardId}:${secret}`
}

/** The text whose SHA-256 is the commitment: the table as canonical JSON (RFC 8785). */
export function canonicalTable({
  watchlistId,
  drawNumber,
  rule,
  filter,
  picks,
  people,
  serverSeed,
}: DrawTable): string {
  const table = { watchlistId, drawNumber, rule, filter, picks, people, serverSeed }
  const text = canonicalize(table)
  if (text === undefined) throw new Error('A table is an object, which has a canonical form')
  return text
}

export function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../gu) ?? [], (digits) => Number.parseInt(digits, 16))
}

/** The message of one block: its index in 4 bytes, then the seeds in ascending order, each once. */
export function blockMessage(index: number, seeds: readonly string[]): Uint8Array<ArrayBuffer> {
  const bytes = bytesOfHex([...new Set(seeds)].toSorted().join(''))
  const message = new Uint8Array(4 + bytes.length)
  new DataView(message.buffer).setUint32(0, index)
  message.set(bytes, 4)
  return message
}

/** Reads the blocks as 64-bit integers and maps each to a range without bias: integers beyond the last full range are skipped. */
export function integersFrom(blockOf: BlockOf): Below {
  let position = 0
  const next = () => {
    const block = blockOf(Math.floor(position / INTEGERS_PER_BLOCK))
    const offset = (position % INTEGERS_PER_BLOCK) * 8
    position += 1
    return new DataView(block.buffer, block.byteOffset).getBigUint64(offset)
  }
  return (limit) => {
    const end = limit * (INTEGERS / limit)
    for (;;) {
      const integer = next()
      if (integer < end) return integer % limit
    }
  }
}

type Person = Pick<DrawPerson, 'weight' | 'tickets'> & Partial<Pick<DrawPerson, 'username'>>
type People = readonly Person[]

export const totalWeight = (people: People) => people.reduce((sum, { weight }) => sum + weight, 0)

/** The chance of a ticket: of each person who wants the card, times one of that person's tickets. */
export function oddsOf(people: People, ticket: string): number {
  const total = totalWeight(people)
  return people.reduce(
    (odds, { weight, tickets }) => (tickets.includes(ticket) ? odds + weight / total / tickets.length : odds),
    0,
  )
}

/** A drawn ticket, the person who was drawn for it, and the people who had tickets at its turn. */
export type Turn = { ticket: string; odds: number; person: Person; people: People }

/**
 * Draws up to `picks` tickets: each time a person by weight, then one of their tickets. A drawn ticket leaves the table. Its
 * odds are those at its turn.
 */
export function pickTickets(people: People, picks: number, below: Below): Turn[] {
  const picked: Turn[] = []
  let left = people.filter(({ tickets }) => tickets.length > 0)
  while (picked.length < picks && left.length > 0) {
    const person = personAt(left, Number(below(BigInt(totalWeight(left)))))
    const ticket = person.tickets[Number(below(BigInt(person.tickets.length)))]
    if (ticket === undefined) throw new Error('A person without tickets was drawn')
    picked.push({ ticket, odds: oddsOf(left, ticket), person, people: left })
    left = left
      .map((each) => ({ ...each, tickets: each.tickets.filter((one) => one !== ticket) }))
      .filter(({ tickets }) => tickets.length > 0)
  }
  return picked
}

/** The first person whose cumulative weight exceeds `place`. */
export function personAt<P extends { readonly weight: number }>(people: readonly P[], place: number): P {
  let cumulative = 0
  for (const person of people) {
    cumulative += person.weight
    if (cumulative > place) return person
  }
  throw new Error('The place is beyond the weights of all people')
}

/** The weight of a person with the rule `waiting`. `accepted` lists who wanted each accepted card, the latest first. */
export function waitingWeight(username: string, accepted: readonly (readonly string[])[]): number {
  const since = accepted.findIndex((wantedBy) => wantedBy.includes(username))
  return Math.min(1 + (since === -1 ? accepted.length : since), MAX_WAITING_WEIGHT)
}

export const MAX_WAITING_WEIGHT = 10
