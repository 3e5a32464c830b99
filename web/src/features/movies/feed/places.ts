import type { Card } from '@marquee/contract/entities/card'
import { isSameUser } from '@marquee/contract/rules/account'
import { useMemo, useState } from 'react'

import type { FeedCard } from '../feed-pages.ts'

/**
 * Where the cards of a feed are on the screen. A card stays where it was first shown, so that nothing moves when someone
 * else decides. What others reveal meanwhile waits until the user asks for it.
 */
export type Places = {
  /** The cards that wait for a decision, above the box. Decided ones stay until the screen is left. */
  readonly first: readonly string[]
  /** All that were ever above the box. One whose move fails comes back. */
  readonly wereFirst: ReadonlySet<string>
  /** The other cards that were shown. */
  readonly others: ReadonlySet<string>
  /** Revealed by others while the screen is open, newest first. */
  readonly held: readonly string[]
  /** All that were held and never shown. One whose decision is undone waits again. */
  readonly wereHeld: ReadonlySet<string>
  /** When the newest card was revealed or moved. */
  readonly newest: string
}

export const NOTHING_SHOWN: Places = {
  first: [],
  wereFirst: new Set(),
  others: new Set(),
  held: [],
  wereHeld: new Set(),
  newest: '',
}

/** What is said in the place of a card that others took out of the feed, as high as it was. */
export type Gone = { text: string; height: number; statusChangedAt: string }

type Now = {
  username: string
  /** The cards that left the feed by a move of others. Their places stay. */
  gone: ReadonlyMap<string, Gone>
}

function isOwnMove({ statusChanges }: Card, username: string): boolean {
  return isSameUser(statusChanges.at(-1)?.changedBy ?? '', username)
}

/** The places after the feed has changed; the same ones if nothing moves. */
export function placeCards(before: Places, pages: readonly (readonly FeedCard[])[], { username, gone }: Now): Places {
  const isFirstTime = before === NOTHING_SHOWN
  const cards = pages.flat()
  const ids = new Set(cards.map(({ id }) => id))
  const isRevealed = (id: string) => cards.some((card) => card.id === id && card.status === 'REVEALED')
  // One that others have decided meanwhile is among the other cards, until they undo that.
  const undone = new Set([...before.others].filter((id) => before.wereHeld.has(id) && isRevealed(id)))
  const others = [...before.others].filter((id) => !undone.has(id))
  const held = [...undone, ...before.held.filter(isRevealed)]
  const known = new Set([...before.first, ...before.others, ...held])
  const added = cards.filter(({ id }) => !known.has(id))
  const isStill = (id: string) => ids.has(id) || gone.has(id)
  // Those of later pages come into view where they are.
  const isToDecide = (card: FeedCard) => card.status === 'REVEALED' && pages[0]?.includes(card) === true
  // The newest card is no news when it comes back because its move failed.
  const isNewer = ({ id, statusChangedAt: at }: FeedCard) =>
    before.wereFirst.has(id) ? at > before.newest : at >= before.newest
  const isNewHere = (card: FeedCard) => !isFirstTime && isNewer(card) && isToDecide(card)
  const isHeld = (card: FeedCard) => isNewHere(card) && !isOwnMove(card, username)
  const isFirst = (card: FeedCard) =>
    !isHeld(card) && (isFirstTime || before.wereFirst.has(card.id) ? isToDecide(card) : isNewHere(card))
  const idsOf = (which: (card: FeedCard) => boolean) => added.filter(which).map(({ id }) => id)

  const left = [...before.first, ...before.others, ...before.held].filter((id) => !isStill(id))
  if (!isFirstTime && added.length + undone.size + left.length === 0) return before
  const newest = cards.reduce((last, { statusChangedAt: at }) => (at > last ? at : last), before.newest)
  const addedFirst = idsOf(isFirst)
  const order = cards.map(({ id }) => id)
  const first = addedFirst.reduceRight((list, id) => {
    const next = list.findIndex((other) => order.indexOf(other) > order.indexOf(id))
    return next === -1 ? [...list, id] : list.toSpliced(next, 0, id)
  }, before.first.filter(isStill))
  return {
    first,
    wereFirst: new Set([...before.wereFirst, ...addedFirst]),
    others: new Set([...others, ...idsOf((card) => !isFirst(card) && !isHeld(card))].filter(isStill)),
    held: [...idsOf(isHeld), ...held],
    wereHeld: new Set([...before.wereHeld, ...idsOf(isHeld)]),
    newest,
  }
}

/** The places after the user has asked for the cards that wait. */
export function withHeldShown(places: Places): Places {
  const { held, first, wereFirst, wereHeld } = places
  return {
    ...places,
    first: [...held, ...first],
    wereFirst: new Set([...wereFirst, ...held]),
    held: [],
    wereHeld: new Set([...wereHeld].filter((id) => !held.includes(id))),
  }
}

/** The cards of a feed in their places. `pages` is undefined until the feed is loaded. */
export function usePlaces(pages: readonly (readonly FeedCard[])[] | undefined, username: string) {
  const [places, setPlaces] = useState(NOTHING_SHOWN)
  const [gone, setGone] = useState<ReadonlyMap<string, Gone>>(new Map())
  const byId = useMemo(() => new Map(pages?.flat().map((card) => [card.id, card])), [pages])
  const isBack = ([id, { statusChangedAt }]: [string, Gone]) => (byId.get(id)?.statusChangedAt ?? '') > statusChangedAt
  if ([...gone].some(isBack)) setGone(new Map([...gone].filter((place) => !isBack(place))))
  const next = useMemo(
    () => (pages === undefined ? places : placeCards(places, pages, { username, gone })),
    [places, pages, username, gone],
  )
  if (next !== places) setPlaces(next)
  const others = useMemo(
    () => (pages ?? []).map((cards) => cards.filter(({ id }) => next.others.has(id))),
    [pages, next.others],
  )
  const cardOf = (id: string) => byId.get(id)
  return {
    first: next.first.map((id) => ({ id, card: cardOf(id), gone: gone.get(id) })),
    /** The pages without the cards that are elsewhere. */
    others,
    held: next.held.flatMap((id) => cardOf(id) ?? []),
    showHeld: () => setPlaces(withHeldShown),
    keepPlace: (id: string, place: Gone) => setGone((before) => new Map(before).set(id, place)),
    freePlace: (id: string) => setGone((before) => new Map([...before].filter(([other]) => other !== id))),
  }
}
