import type { DrawFilter, DrawPerson, DrawRule } from '@marquee/contract/entities/draw'
import { MAX_WAITING_WEIGHT, waitingWeight } from '@marquee/contract/rules/draw'
import { namesPeople } from '@marquee/contract/rules/draw-secrecy'
import type { AnyDb } from '@marquee/platform/database/database'

import { type BoxCard, listAccepted, type OtherWant } from '../movies/cards/service.ts'

const byCodeUnits = (one: string, other: string) => (one < other ? -1 : 1)

/** Who wanted the cards that were accepted last, for the rule that weighs people by it. */
export async function readAccepted(db: AnyDb, watchlistId: string, rule: DrawRule): Promise<string[][]> {
  return rule === 'waiting' ? await listAccepted(db, watchlistId, MAX_WAITING_WEIGHT - 1) : []
}

/** The people of a rule that knows people, sorted, each with their weight. */
export function weighPeople(
  rule: DrawRule,
  usernames: Iterable<string>,
  accepted: readonly (readonly string[])[],
): { username: string; weight: number }[] {
  const people = [...new Set(usernames)].toSorted(byCodeUnits)
  return people.map((username) => ({ username, weight: rule === 'waiting' ? waitingWeight(username, accepted) : 1 }))
}

/** Who wants the cards of a table besides their creators, and who wanted those that were accepted last. */
export type Wanted = { readonly others: readonly OtherWant[]; readonly accepted: readonly (readonly string[])[] }

/** The people of a table, each with the sorted tickets of the cards that they want. */
export function makePeople(
  { rule, filter }: { rule: DrawRule; filter: DrawFilter | null },
  cards: readonly (BoxCard & { ticket: string })[],
  { others, accepted }: Wanted,
): DrawPerson[] {
  const sorted = cards.toSorted((one, other) => byCodeUnits(one.ticket, other.ticket))
  if (sorted.length === 0) return []
  if (rule === 'cards') return [{ username: null, weight: 1, tickets: sorted.map(({ ticket }) => ticket) }]
  const ticketsOf = new Map<string, string[]>()
  const wantsOf = Map.groupBy(others, ({ cardId }) => cardId)
  for (const { id, creator, ticket } of sorted) {
    for (const username of [creator, ...(wantsOf.get(id) ?? []).map((want) => want.username)]) {
      const own = ticketsOf.get(username)
      if (own) own.push(ticket)
      else ticketsOf.set(username, [ticket])
    }
  }
  const weighed = weighPeople(rule, ticketsOf.keys(), accepted)
  const people = weighed.map((person) => ({ ...person, tickets: ticketsOf.get(person.username) ?? [] }))
  return namesPeople(rule, filter) ? people : withoutNames(people)
}

/** In the order of their tickets, which are random. */
function withoutNames(people: readonly DrawPerson[]): DrawPerson[] {
  return people
    .map(({ weight, tickets }) => ({ username: null, weight, tickets }))
    .toSorted((one, other) => byCodeUnits(one.tickets.join(''), other.tickets.join('')))
}
