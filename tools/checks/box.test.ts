import { expect, test } from 'vitest'

import { read } from './repository.ts'
import { sources } from './syntax.ts'

const PRODUCT = /^server\/src\/(?!testing\/|migrations\/|move\/|backup\/)(?:[\w-]+\/)*[\w-]+\.ts$/u

/** The one file whose statements may read cards of others in the box. */
const BOX = 'server/src/rooms/movies/cards/box/box-store.ts'

/** A statement that reads cards. */
const READS_CARDS =
  /\bselectFrom\('card(?: as \w+)?'\)|\w+Join\('card(?: as \w+)?'|\b(?:from|join) card\b|\.as\('card'\)|\bselectCards\(db\)/u

/** A condition that keeps cards of others in the box out: the feed, a status of the feed, or the creator. */
const KEEPS_OUT =
  /\.where\(IS_IN_FEED\)|\bor\(\[IS_IN_FEED|and \$\{IS_WATCHED\}|status = '(?:WATCHED|REVEALED)'`|status <> 'SUGGESTED'|'status', '<>', |'(?:card\.)?creator_id', '='/u

/** Statements elsewhere that read any card, and why no one learns of the box by them. */
const OTHERS: Readonly<Record<string, string>> = {
  'server/src/rooms/movies/availability/box-offer-store.ts forgetGone': 'the queue of what can be watched',
  'server/src/rooms/movies/availability/box-offer-store.ts saveBoxOffer': 'the queue of what can be watched',
  'server/src/rooms/movies/cards/card/status-store.ts slotHistory': 'writes the history of a card that leaves the box',
  'server/src/rooms/movies/cards/card/store.ts lastKeyAfter': 'the end of a range of keys, which no reply shows',
  'server/src/rooms/movies/cards/card/store.ts selectCards': 'part of the statements of this file',
  'server/src/rooms/movies/cards/card/want-store.ts CARD_IS_IN_BOX': 'of the cards that the caller wants',
  'server/src/rooms/movies/cards/library/library-store.ts findByWords': 'only cards of the feed have words',
  'server/src/rooms/movies/cards/library/statistics-store.ts listWatchedIn': 'drops what is not watched',
  'server/src/rooms/movies/images/store.ts findUsed': 'the sweep of images',
  'server/src/rooms/movies/posters/store.ts addMissingRequests': 'the queue of posters',
}

/** The top-level declarations of the product that read cards, by file and name, with their texts. */
function readers(): { path: string; name: string; text: string }[] {
  return sources()
    .filter(({ path }) => PRODUCT.test(path) && !path.endsWith('.test.ts'))
    .flatMap(({ path, program }) => {
      const source = read(path)
      return program.body.flatMap((statement) => {
        const text = source.slice(statement.start, statement.end)
        const name = /^(?:export )?(?:async )?(?:const|function\*?) (\w+)/u.exec(text)?.[1] ?? text.slice(0, 40)
        return READS_CARDS.test(text) ? [{ path, name, text }] : []
      })
    })
}

test('only the store of the box has statements that may read cards of others in the box', () => {
  const open = readers()
    .filter(({ path, text }) => path !== BOX && !KEEPS_OUT.test(text))
    .map(({ path, name }) => `${path} ${name}`)

  expect(open.toSorted()).toEqual(Object.keys(OTHERS))
})

test('the store of the box has statements that read the box', () => {
  const names = readers().flatMap(({ path, name }) => (path === BOX ? [name] : []))

  expect(names).toEqual(expect.arrayContaining(['boxOf', 'findInSlots', 'findOthersInBox', 'idInSlot', 'listSlots']))
})

test('no file besides the stores of cards lists the cards of the box', () => {
  const listing = sources().filter(({ path }) => {
    if (!PRODUCT.test(path) || path.endsWith('.test.ts') || path === BOX) return false
    return /\bIS_IN_BOX\b/u.test(read(path))
  })

  const own = 'server/src/rooms/movies/cards/box/suggestion-store.ts'
  const defined = 'server/src/rooms/movies/cards/card/store.ts'
  expect(listing.map(({ path }) => path).toSorted()).toEqual([own, defined])
  expect(read(own).match(/\.where\(IS_IN_BOX\)/gu)).toHaveLength(2)
  expect(read(own).match(/\.where\('(?:card\.)?creator_id', '=', creatorId\)/gu)).toHaveLength(2)
  expect(read(defined)).not.toContain('.where(IS_IN_BOX)')
})
