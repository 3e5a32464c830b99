import type { DrawFilter, DrawPerson, DrawRule } from '@marquee/contract/entities/draw'
import { MAX_WAITING_WEIGHT, waitingWeight } from '@marquee/contract/rules/draw'
import { namesPeople } from '@marquee/contract/rules/draw-secrecy'
import type { AnyDb } from '@marquee/platform/database/database'

import { type BoxCard, findWantedBy, listAccepted } from '../movies/cards/service.ts'

const byCodeUnits = (one: string, other: string) => (one < other ? -1 : 1)

/** The people of a rule that knows people, sorted, each with their weight. */
export async function weighPeople(
  db: AnyDb,
  watchlistId: string,
  rule: DrawRule,
  usernames: Iterable<string>,
): Promise<{ username: string; weight: number }[]> {
  const people = [...new Set(usernames)].toSorted(byCodeUnits)
  if (rule !== 'waiting') return people.map((username) => ({ username, weight: 1 }))
  const accepted = await listAccepted(db, watchlistId, MAX_WAITING_WEIGHT - 1)
  const wantedBy = await findWantedBy(db, watchlistId, accepted)
  return people.map((username) => ({ username, weight: waitingWeight(username, wantedBy) }))
}

/** The people of a table, each with the sorted tickets of the cards that they want. */
export async function makePeople(
  db: AnyDb,
  watchlistId: string,
  { rule, filter }: { rule: DrawRule; filter: DrawFilter | null },
  cards: readonly (BoxCard & { ticket: string })[],
): Promise<DrawPerson[]> {
  const sorted = cards.toSorted((one, other) => byCodeUnits(one.ticket, other.ticket))
  if (rule === 'cards') return [{ username: null, weight: 1, tickets: sorted.map(({ ticket }) => ticket) }]
  const ticketsOf = new Map<string, string[]>()
  const wantedBy = await findWantedBy(db, watchlistId, sorted)
  for (const [n, { ticket }] of sorted.entries()) {
    for (const username of wantedBy[n] ?? []) {
      const own = ticketsOf.get(username)
      if (own) own.push(ticket)
      else ticketsOf.set(username, [ticket])
    }
  }
  const weighed = await weighPeople(db, watchlistId, rule, ticketsOf.keys())
  const people = weighed.map((person) => ({ ...person, tickets: ticketsOf.get(person.username) ?? [] }))
  return namesPeople(rule, filter) ? people : withoutNames(people)
}

/** In the order of their tickets, which are random. */
function withoutNames(people: readonly DrawPerson[]): DrawPerson[] {
  return people
    .map(({ weight, tickets }) => ({ username: null, weight, tickets }))
    .toSorted((one, other) => byCodeUnits(one.tickets.join(''), other.tickets.join('')))
}
