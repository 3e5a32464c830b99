import { expect, test } from 'vitest'

import { FACTS, type Fact, rowOf } from '../../contract/src/facts.ts'
import { LIVE_EVENT_KINDS } from '../../contract/src/base/live-events.ts'
import { read } from './repository.ts'
import { type Source, sources, visit } from './syntax.ts'

const NAMES = Object.keys(FACTS) as Fact['name'][]
const PRODUCT = /^server\/src\/(?!testing\/|migrations\/|move\/)(?:[\w-]+\/)*[\w-]+\.ts$/u

/** The one place that opens a transaction on a watchlist. */
const CHANGE = 'server/src/rooms/club/watchlists/change.ts'

/** Where else a transaction begins, and on which rows. */
const OTHER_TRANSACTIONS: Readonly<Record<string, string>> = {
  'server/src/demo/demo.ts': 'users of the demo that it removes',
  'server/src/installation/installation.ts': 'the installation',
  'server/src/move/postgres-snapshot-store.ts': 'nothing: it only reads',
  'server/src/rooms/news/activities/queue.ts': 'activities that are announced',
  'server/src/rooms/movies/exports/restore.ts': 'a watchlist that is hidden until it is restored',
  'server/src/rooms/movies/availability/answers.ts': 'what is known of movies and countries',
  'server/src/rooms/movies/availability/box-queue.ts': 'what is known of boxes whose reading is claimed',
  'server/src/rooms/movies/images/service.ts': 'images',
  'server/src/rooms/movies/images/sweep.ts': 'images',
  'server/src/rooms/movies/imports/queue.ts': 'imports of a user, and their claims',
  'server/src/rooms/movies/imports/service.ts': 'imports of a user',
  'server/src/rooms/club/invitations/mails.ts': 'the counts of mails to users and mailboxes',
  'server/src/rooms/club/join-links/reservations.ts': 'reservations of users',
  'server/src/rooms/nights/nights/passes/screens.ts': 'screens that show no night yet',
  'server/src/rooms/news/notifications/list.ts': 'notifications of a user',
  'server/src/rooms/news/notifications/mail-queue.ts': 'mails of a user, and their claims',
  'server/src/rooms/news/notifications/settings.ts': 'settings of a user',
  'server/src/rooms/club/personal-tokens/service.ts': 'tokens of a user',
  'server/src/rooms/movies/media-links/sending.ts': 'marks that wait for a film are due',
  'server/src/rooms/movies/media-links/reports.ts': 'the counts of reports',
  'server/src/rooms/movies/media-servers/queue.ts': 'lists that it removes',
  'server/src/rooms/movies/media-servers/reading.ts': 'servers whose reading is claimed, and their lists',
  'server/src/rooms/movies/movie-requests/following.ts': 'requests that are claimed, and the server that is asked',
  'server/src/rooms/movies/posters/copying.ts': 'requests that are claimed',
  'server/src/rooms/movies/posters/queue.ts': 'requests that are missing',
  'server/src/rooms/club/profiles/service.ts': 'the profile of a user',
  'server/src/rooms/news/push/delivery.ts': 'push messages that are claimed',
  'server/src/rooms/news/push/service.ts': 'devices of a user',
  'server/src/rooms/club/watchlists/removal.ts': 'rows of a hidden watchlist that it removes',
  'server/src/rooms/club/watchlists/restored.ts': 'a watchlist that is hidden until it is restored',
  'server/src/rooms/club/watchlists/service.ts': 'a new watchlist; the current watchlist of a user',
  'server/src/rooms/news/webhooks/delivery.ts': 'messages that are claimed',
  'server/src/rooms/news/webhooks/queue.ts': 'messages that are claimed',
}

/** Who locks a watchlist besides: the announcement of its activities, and what belongs to the transaction of an account. */
const LOCKERS = [
  'server/src/rooms/news/activities/queue.ts',
  'server/src/rooms/club/join-links/reservations.ts',
  CHANGE,
]

function product(): readonly Source[] {
  return sources().filter(({ path }) => PRODUCT.test(path) && !path.endsWith('.test.ts'))
}

/** Whether a source calls a function or a method of this name. */
function calls(source: Source, name: string): boolean {
  let found = false
  visit(source, {
    CallExpression: ({ callee }) => {
      const called = callee.type === 'MemberExpression' ? callee.property : callee
      found ||= called.type === 'Identifier' && called.name === name
    },
  })
  return found
}

function pathsThatCall(name: string): string[] {
  return product()
    .filter((source) => calls(source, name))
    .map(({ path }) => path)
    .toSorted()
}

test('a transaction on a watchlist begins in one place', () => {
  const openers = pathsThatCall('transaction')

  expect(openers).toContain(CHANGE)
  expect(openers.filter((path) => path !== CHANGE && !Object.hasOwn(OTHER_TRANSACTIONS, path))).toEqual([])
  expect(pathsThatCall('lockWatchlist')).toEqual(LOCKERS.toSorted())
})

test('live events are published in one place', () => {
  const publishers = product()
    .filter((source) => publishesLive(source))
    .map(({ path }) => path)

  expect(publishers).toEqual(['server/src/rooms/news/facts/service.ts'])
})

/** Whether a source calls `publish` of something that is called `live`. */
function publishesLive(source: Source): boolean {
  let found = false
  visit(source, {
    CallExpression: ({ callee }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      const { object } = callee
      const owner = object.type === 'MemberExpression' ? object.property : object
      found ||= callee.property.name === 'publish' && owner.type === 'Identifier' && owner.name === 'live'
    },
  })
  return found
}

test('each fact of the table is recorded somewhere', () => {
  const named = new Set<unknown>()
  for (const source of product().filter((one) => calls(one, 'happened'))) {
    visit(source, { Literal: ({ value }) => void named.add(value) })
  }

  expect(NAMES.filter((name) => !named.has(name))).toEqual([])
})

test('docs/product/live.md shows the table of contract/src/facts.ts', () => {
  const code = (names: readonly (string | null)[]) =>
    names.flatMap((name) => (name === null ? [] : `\`${name}\``)).join(', ')
  const rows = NAMES.map((name) => {
    const { live, changesFeed, notifications, notifies, push, mail, webhook } = rowOf({ name })
    const to = { others: 'other members', members: 'members', recipient: 'the recipient' }[notifies]
    const mails = { never: '', 'as-set': 'as set', own: 'its own', 'own-waiting': 'its own', always: 'always' }[mail]
    return [
      code([name]),
      code([live]),
      changesFeed ? '✓' : '',
      code(notifications),
      notifications.length > 0 ? to : '',
      push ? '✓' : '',
      mails,
      code([webhook]),
    ]
  })

  const shown = cellsOf('docs/product/live.md').filter(([first]) => NAMES.some((name) => first === `\`${name}\``))

  expect(shown).toEqual(rows)
})

test('docs/product/live.md names the same audience for each live event as the facts', () => {
  const audiences = new Map<string, string[]>()
  for (const { live, seenBy } of NAMES.map((name) => rowOf({ name }))) {
    if (live !== null) audiences.set(live, [...new Set([...(audiences.get(live) ?? []), seenBy])])
  }

  const documented = new Map<string, string[]>()
  for (const [first, ...cells] of cellsOf('docs/product/live.md')) {
    const kind = LIVE_EVENT_KINDS.find((one) => first === `\`${one}\``)
    if (kind) documented.set(kind, [cells.at(-1) === 'members' ? 'members' : 'readers'])
  }

  expect(documented).toEqual(new Map([...audiences, ['notifications-changed', ['readers']]]))
})

/** The cells of the rows of the tables of a page. */
function cellsOf(path: string): string[][] {
  return read(path)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}
