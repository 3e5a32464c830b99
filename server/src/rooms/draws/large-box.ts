import type { DrawRule } from '@marquee/contract/entities/draw'
import { personAt } from '@marquee/contract/rules/draw'
import type { AnyDb } from '@marquee/platform/database/database'
import { together } from '@marquee/platform/database/statement-runner'
import type { Random } from '@marquee/platform/runtime/random'

import { type BoxFilter, countInBox, findInSlots, listInBox, listWanters } from '../movies/cards/service.ts'
import { readAccepted, weighPeople } from './people.ts'

/** Usually one of the first few matches. Each slot may be a page of the disk. */
const FIRST_SLOTS = 4
const SLOTS_AT_ONCE = 64
/** After so many slots the matching cards are rare, so listing them costs less than trying further slots. */
const TRIES = 8

/**
 * Draws a card from a box that is too large for a table: from random slots, the first card that matches. The cost does not
 * grow with the box while most cards match. Its odds are known only with the rule `cards`.
 */
export async function drawFromLargeBox(
  trx: AnyDb,
  random: Random,
  { watchlistId, boxCount, rule, filter }: { watchlistId: string; boxCount: number; rule: DrawRule; filter: BoxFilter },
): Promise<string | undefined> {
  if (boxCount === 0) return undefined
  const matching = rule === 'cards' ? filter : await choosePerson(trx, random, watchlistId, rule, filter)
  if (matching === undefined) return undefined
  for (let tries = 0; tries < TRIES; tries += 1) {
    const slots = Array.from({ length: tries === 0 ? FIRST_SLOTS : SLOTS_AT_ONCE }, () => random.below(boxCount))
    const found = new Map((await findInSlots(trx, watchlistId, slots, matching)).map(({ id, slot }) => [slot, id]))
    const slot = slots.find((each) => found.has(each))
    if (slot !== undefined) return found.get(slot)
  }
  const count = await countInBox(trx, watchlistId, matching)
  if (count === 0) return undefined
  const cards = await listInBox(trx, watchlistId, matching, count)
  return cards[random.below(cards.length)]?.id
}

async function choosePerson(
  trx: AnyDb,
  random: Random,
  watchlistId: string,
  rule: DrawRule,
  filter: BoxFilter,
): Promise<BoxFilter | undefined> {
  const [wanters, accepted] = await together(
    listWanters(trx, watchlistId, filter),
    readAccepted(trx, watchlistId, rule),
  )
  const people = weighPeople(rule, wanters, accepted)
  const total = people.reduce((sum, { weight }) => sum + weight, 0)
  return total === 0 ? undefined : { ...filter, wantedBy: personAt(people, random.below(total)).username }
}
