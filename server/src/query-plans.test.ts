import { type CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { LIBRARY_SORTS } from '@marquee/contract/rules/library'
import type { AnyDb } from '@marquee/platform/database/database'
import { removeReplies } from '@marquee/platform/idempotency/store'
import { WAITING_MAILS } from '@marquee/platform/mail/store'
import {
  type DueTable,
  findDue,
  findDueOf,
  findNext,
  listLateClaimants,
  nextDueAt,
} from '@marquee/platform/queue/store'
import { eachDatabase, TRIES_ALL } from '@marquee/platform/testing/each-database'

import { findInSlots, findOthersInBox } from './rooms/movies/cards/box/box-store.ts'
import { WAITING_DELIVERIES } from './rooms/news/webhooks/store.ts'
import { productMigrations } from './migrations/index.ts'
import { deleteOldImport, listRowsToApply, listRowsToUndo, RUNNING_IMPORTS } from './rooms/movies/imports/store.ts'
import { findUsed, listForsakenClaims } from './rooms/movies/images/store.ts'
import { WAITING_ACTIVITIES } from './rooms/news/activities/store.ts'
import { takeDueMails, WAITING_MAILS as WAITING_NOTIFICATION_MAILS } from './rooms/news/notifications/mail-store.ts'
import { WAITING_MESSAGES } from './rooms/news/push/store.ts'
import { nextRemoval } from './rooms/club/watchlists/removal-store.ts'
import { findMark, WAITING_MARKS, wantSeen, wantUnseen } from './rooms/movies/media-links/mark-store.ts'
import { findSecretHash, listLinksOf, listLinksTo, listWaiting } from './rooms/movies/media-links/store.ts'
import { findMovies, listReadLists, listServerRows } from './rooms/movies/media-servers/store.ts'
import { countOpen, findRequestServer, listRequests } from './rooms/movies/movie-requests/store.ts'
import { listAnswers } from './rooms/movies/availability/store.ts'
import {
  type ColumnSort,
  findEndInLibrary,
  findFeedMovies,
  listFeedMovies,
  listListedCards,
} from './rooms/movies/cards/library/library-store.ts'
import { FROM_CATALOGUE } from './rooms/movies/posters/service.ts'
import { addMissingRequests, lastOfCatalogue, WAITING_REQUESTS } from './rooms/movies/posters/store.ts'
import {
  deleteWaitingMails,
  takeDueMail,
  takeWaitingMails,
  WAITING_NIGHT_MAILS,
} from './rooms/nights/nights/plan/waiting-mail-store.ts'
import { WAITING_REMINDERS } from './rooms/nights/nights/plan/reminder-store.ts'
import { listForgotten } from './rooms/nights/nights/night/store.ts'
import { listGuestBallots, listGuestVetoes } from './rooms/nights/nights/vote/vote-store.ts'
import { takeBackBrought } from './rooms/movies/viewings/store.ts'
import { callOk } from './testing/call.ts'
import { analyze, capturing, postgresSteps, sqlitePlan } from './testing/explain.ts'
import { BIG, BUSY, fillTables, LONG_IMPORT, NIGHT, TALKED_ABOUT } from './testing/fill-tables.ts'
import { startApp, type TestApp } from './testing/start-app.ts'

type List = {
  /** Causes every statement of the reply. */
  ask: (app: TestApp, db: AnyDb) => Promise<unknown>
  /** How many rows of one table the reply may examine: those shown, and a few more. */
  rows: number
  /** Allowed to sort: only the rows of the reply, which has a limit of its own. */
  sortsTheAnswer?: true
  /** Everything is found in the index, no card is read. */
  walksCoveringIndex?: true
  /** It finds the cards by their words, and sorts them. */
  looksUpWords?: true
}

const params = { watchlistId: BIG, cardId: TALKED_ABOUT }
const FILLS_WITHIN_MS = 180_000
const NOW = new Date('2026-06-01T00:00:00.000Z')
const OWNER = { userId: 'person-1', username: 'person-1' }

/** What a queue reads of its table. */
async function readQueue<Row>(db: AnyDb, table: DueTable<Row>): Promise<void> {
  const now = NOW.getTime()
  await nextDueAt(db, table, now)
  const [row] = await findDue(db, table, { now, limit: 50 })
  if (table.lane === 0) return
  for (const what of ['owner', 'lane'] as const) {
    const place = await findNext(db, table, what, row ?? {})
    if (place) await findDueOf(db, table, place, { now, limit: 8 })
  }
}

/** A page of the library by what is on a media server, and the place where the next one goes on. */
async function askListed(db: AnyDb, sort: ColumnSort): Promise<void> {
  const filter = { viewerId: OWNER.userId }
  const slice = { sort, after: undefined, size: 500 }
  await listListedCards(db, BIG, filter, { lists: ['list'], limit: 21, slice })
  await findEndInLibrary(db, BIG, filter, slice)
}

const LISTS: Readonly<Record<string, List>> = {
  'the first page of the feed': {
    ask: async (app) => await callOk(app, ENDPOINTS.listCards, BUSY, { params }),
    rows: 40,
  },
  'a page in the midst of the feed': {
    ask: async (app) => {
      const deep = Buffer.from('2026-01-01T00:50:00.000Z watchlist-0-card-3000').toString('base64url')
      await callOk(app, ENDPOINTS.listCards, BUSY, { params, query: { nextToken: deep } })
    },
    rows: 40,
  },
  'the first pages of the library in each order': {
    ask: async (app) => {
      for (const sort of LIBRARY_SORTS) {
        const { nextToken } = await callOk(app, ENDPOINTS.listLibrary, BUSY, { params, query: { sort } })
        if (nextToken === null) throw new Error('There is only one page')
        await callOk(app, ENDPOINTS.listLibrary, BUSY, { params, query: { sort, nextToken } })
      }
    },
    rows: 40,
  },
  'a search in the library for a word of few movies': {
    ask: async (app) => {
      const query = { q: 'card 17', decade: 1980, maxRuntime: 100, suggestedBy: 'person-1', seen: 'yes' }
      for (const sort of LIBRARY_SORTS) {
        await callOk(app, ENDPOINTS.listLibrary, BUSY, { params, query: { ...query, status: 'WATCHED', sort } })
      }
    },
    // Of a frequent word, only so many entries are counted.
    rows: 501,
    looksUpWords: true,
  },
  'a search in the library for a word of all movies, with filters that no movie passes': {
    ask: async (app) => {
      const query = { q: 'card', genre: 'Horror', decade: 1980, maxRuntime: 100, suggestedBy: 'person-1' }
      // By rating it looks up the card of each rating of the member.
      for (const sort of LIBRARY_SORTS.filter((one) => one !== 'rating')) {
        await callOk(app, ENDPOINTS.listLibrary, BUSY, { params, query: { ...query, status: 'WATCHED', sort } })
      }
    },
    // All entries of the index for this watchlist.
    rows: 3_000,
    walksCoveringIndex: true,
  },
  'the statistics of all time': {
    ask: async (app) => await callOk(app, ENDPOINTS.getStatistics, BUSY, { params }),
    // All watched movies, each in the index alone, and all ratings.
    rows: 6_000,
    sortsTheAnswer: true,
  },
  'the first page of comments': {
    ask: async (app) => await callOk(app, ENDPOINTS.listComments, BUSY, { params }),
    rows: 15,
  },
  'the last page of comments': {
    ask: async (app) => {
      const { nextToken } = await callOk(app, ENDPOINTS.listComments, BUSY, { params, query: { limit: 50 } })
      if (nextToken === null) throw new Error('There is only one page')
      await callOk(app, ENDPOINTS.listComments, BUSY, { params, query: { nextToken } })
    },
    rows: 60,
  },
  'the library by what a member has seen and rated': {
    ask: async (app) => {
      for (const query of [{ seen: 'no' }, { seen: 'yes' }, { ownRating: 3 }, { averageRating: 3 }]) {
        await callOk(app, ENDPOINTS.listLibrary, BUSY, { params, query })
      }
    },
    rows: 200,
  },
  'where the movies of a page, and those that changed last, can be watched': {
    ask: async (_app, db) => {
      const cards = Array.from({ length: 10 }, (_, n) => `${BIG}-card-${2 * n + 1}`)
      await findFeedMovies(db, BIG, cards)
      await listFeedMovies(db, BIG, 20)
      await listAnswers(db, 'DE', ['348', '679'])
    },
    rows: 40,
    sortsTheAnswer: true,
  },
  'the media servers that have the movies of a page': {
    ask: async (_app, db) => {
      await listServerRows(db, BIG)
      await findMovies(db, BIG, { lists: ['list'], keys: ['tmdb:348', 'tmdb:679', 'imdb:tt0078748', 'title:alien'] })
    },
    rows: 10,
    sortsTheAnswer: true,
  },
  'the first pages of the library by what is on a media server, in each order': {
    ask: async (_app, db) => {
      await listReadLists(db, BIG)
      for (const sort of ['changed', 'title', 'year', 'runtime'] as const) await askListed(db, sort)
    },
    // So many cards are looked up. None is on the server.
    rows: 500,
  },
  'the links to media servers, and what one of them knows of a film': {
    ask: async (_app, db) => {
      const link = { watchlistId: BIG, serverId: 'server', userId: 'person-0' }
      await listLinksOf(db, BIG, link.userId)
      await listLinksTo(db, link)
      await listWaiting(db, BIG)
      await findSecretHash(db, link)
      await findMark(db, { ...link, cardId: `${BIG}-card-7` })
    },
    rows: 10,
    sortsTheAnswer: true,
  },
  'what is to be sent to media servers of a film': {
    ask: async (_app, db) => {
      const viewer = { watchlistId: BIG, userId: 'person-0', cardId: `${BIG}-card-7` }
      await wantSeen(db, viewer, NOW.getTime()).value
      await wantUnseen(db, { ...viewer, now: NOW.getTime() })
    },
    rows: 10,
  },
  'the mark of a media server that is due': {
    ask: async (_app, db) => await readQueue(db, WAITING_MARKS),
    rows: 60,
  },
  'what became of the movies of a page that were asked for, and how many are open': {
    ask: async (_app, db) => {
      await findRequestServer(db, BIG)
      await listRequests(db, BIG, ['348', '679'])
      await countOpen(db, BIG)
    },
    // The open ones.
    rows: 220,
  },
  'who has seen the movies of a page': {
    ask: async (app) => {
      const cards = Array.from({ length: 10 }, (_, n) => `${BIG}-card-${2 * n + 1}`).join(',')
      await callOk(app, ENDPOINTS.listViewings, BUSY, { params, query: { cards } })
    },
    rows: 20,
    sortsTheAnswer: true,
  },
  'the watchlists of a person': {
    ask: async (app) => await callOk(app, ENDPOINTS.listWatchlists, BUSY),
    // Two hundred, one of them with a hundred members, the others with three.
    rows: 800,
    sortsTheAnswer: true,
  },
  'a watchlist with its members': {
    ask: async (app) => await callOk(app, ENDPOINTS.getWatchlist, BUSY, { params }),
    rows: 110,
  },
  'the suggestions of a member': {
    ask: async (app) => {
      const { nextToken } = await callOk(app, ENDPOINTS.listSuggestions, BUSY, { params })
      if (nextToken === null) throw new Error('There is only one page')
      await callOk(app, ENDPOINTS.listSuggestions, BUSY, { params, query: { nextToken } })
    },
    // All 120 are counted, and the 200 other cards that the member wants.
    rows: 200,
  },
  'the movies in the box that a member wants': {
    ask: async (app) => {
      const { nextToken } = await callOk(app, ENDPOINTS.listWants, BUSY, { params })
      if (nextToken === null) throw new Error('There is only one page')
      await callOk(app, ENDPOINTS.listWants, BUSY, { params, query: { nextToken } })
    },
    // All that the member wants: those whose cards have left the box are skipped.
    rows: 200,
  },
  'the cards of one movie': {
    ask: async (app) =>
      await callOk(app, ENDPOINTS.matchMovie, BUSY, { params, query: { title: 'Card 7', imdb: 'tt0000007' } }),
    rows: 10,
  },
  'a page of the draws': {
    ask: async (app) => {
      const { nextToken } = await callOk(app, ENDPOINTS.listDraws, BUSY, { params })
      if (nextToken === null) throw new Error('There is only one page')
      await callOk(app, ENDPOINTS.listDraws, BUSY, { params, query: { nextToken } })
    },
    rows: 40,
  },
  'a receipt': {
    ask: async (app) => await callOk(app, ENDPOINTS.getDraw, BUSY, { params: { ...params, drawNumber: '7' } }),
    rows: 10,
  },
  'the cards in random slots of a large box': {
    ask: async (_app, db) => await findInSlots(db, BIG, [1, 20, 300, 2_000], { restsSince: NOW.toISOString() }),
    rows: 10,
  },
  'the odds of a large box': {
    ask: async (app) => await callOk(app, ENDPOINTS.getDrawOdds, BUSY, { params }),
    // The cards that were put back.
    rows: 3_000,
    sortsTheAnswer: true,
  },
  'the count of the box': {
    ask: async (app) => await callOk(app, ENDPOINTS.countSuggestedCards, BUSY, { params }),
    rows: 2,
  },
  'the invitations of a watchlist': {
    ask: async (app) => await callOk(app, ENDPOINTS.listPendingInvitations, BUSY, { params }),
    rows: 70,
    sortsTheAnswer: true,
  },
  'the join links of a watchlist': {
    ask: async (app) => await callOk(app, ENDPOINTS.listJoinLinks, BUSY, { params }),
    rows: 50,
    sortsTheAnswer: true,
  },
  'the webhooks of a watchlist': {
    ask: async (app) => await callOk(app, ENDPOINTS.listWebhooks, OWNER, { params }),
    rows: 20,
    sortsTheAnswer: true,
  },
  'the messages of a webhook': {
    ask: async (app) =>
      await callOk(app, ENDPOINTS.listWebhookDeliveries, OWNER, { params: { ...params, webhookId: 'webhook' } }),
    rows: 60,
  },
  'the message that is due': {
    ask: async (_app, db) => await readQueue(db, WAITING_DELIVERIES),
    rows: 60,
  },
  'the personal tokens of a user': {
    ask: async (app) => await callOk(app, ENDPOINTS.listPersonalTokens, BUSY),
    rows: 60,
    sortsTheAnswer: true,
  },
  'the devices of a user': {
    ask: async (app) => await callOk(app, ENDPOINTS.listPushDevices, BUSY),
    rows: 30,
    sortsTheAnswer: true,
  },
  'the push message that is due': {
    ask: async (_app, db) => await readQueue(db, WAITING_MESSAGES),
    rows: 60,
  },
  'the invitations of a person': {
    ask: async (app) => await callOk(app, ENDPOINTS.listReceivedInvitations, BUSY),
    rows: 110,
  },
  'the movie nights of a watchlist': {
    ask: async (app) => await callOk(app, ENDPOINTS.listNights, BUSY, { params }),
    rows: 20,
  },
  'the movies of the latest nights': {
    ask: async (app) => await callOk(app, ENDPOINTS.listNightFilms, BUSY, { params }),
    rows: 70,
  },
  'the vote of a movie night': {
    ask: async (app) => await callOk(app, ENDPOINTS.findVote, BUSY, { params: { nightId: NIGHT } }),
    // The latest twenty cards of the feed, with their history.
    rows: 40,
  },
  'the big screen of a movie night': {
    ask: async (app) => await callOk(app, ENDPOINTS.getNightScreen, BUSY, { params: { nightId: NIGHT } }),
    rows: 40,
    // The people who are there.
    sortsTheAnswer: true,
  },
  'how many vetoes each member has': {
    ask: async (app) => await callOk(app, ENDPOINTS.getVetoBudget, BUSY, { params }),
    rows: 10,
  },
  'the calendar address of a member': {
    ask: async (app) => await callOk(app, ENDPOINTS.findCalendar, BUSY, { params }),
    rows: 10,
  },
  'the reminder of a night that is due': {
    ask: async (_app, db) => await readQueue(db, WAITING_REMINDERS),
    rows: 60,
  },
  'the mails about nights that wait for quiet hours': {
    ask: async (_app, db) => {
      await readQueue(db, WAITING_NIGHT_MAILS)
      const [night_id, user_id] = [NIGHT.slice(BIG.length + 1), 'person-2']
      await takeWaitingMails(db, { watchlistId: BIG, id: night_id })
      await takeDueMail(db, { watchlist_id: BIG, night_id, user_id }, NOW)
      await deleteWaitingMails(db, BIG, ['person-3'])
    },
    rows: 560,
  },
  'the vetoes of a guest': {
    ask: async (_app, db) => {
      const [watchlistId, nightId] = [BIG, NIGHT.slice(BIG.length + 1)]
      await listGuestBallots(db, { watchlistId, nightId, passId: 'guest-1' })
      await listGuestVetoes(db, { watchlistId, nightId, passId: 'guest-1' })
    },
    rows: 10,
  },
  'the watchlists whose movie night was forgotten': {
    ask: async (_app, db) => await listForgotten(db, { now: NOW.toISOString(), after: '', limit: 100 }),
    rows: 60,
  },
  'the notifications of a person': {
    ask: async (app) => {
      const { nextToken } = await callOk(app, ENDPOINTS.listNotifications, BUSY)
      if (nextToken === null) throw new Error('There is only one page')
      await callOk(app, ENDPOINTS.listNotifications, BUSY, { query: { nextToken } })
      await callOk(app, ENDPOINTS.countUnread, BUSY)
    },
    // All that a user keeps are counted; the watchlists and the invitations say which of them may be read.
    rows: 500,
    sortsTheAnswer: true,
  },
  'the notifications of a person that are mailed next': {
    ask: async (_app, db) => [
      await readQueue(db, WAITING_NOTIFICATION_MAILS),
      await takeDueMails(db, BUSY.userId, NOW),
    ],
    rows: 1,
  },
  'the activity that is due': {
    ask: async (_app, db) => await readQueue(db, WAITING_ACTIVITIES),
    rows: 60,
  },
  'the mails that are due': {
    ask: async (_app, db) => [
      await readQueue(db, WAITING_MAILS),
      await findDue(db, WAITING_MAILS, { now: NOW.getTime(), limit: 50, isUrgent: true }),
    ],
    rows: 60,
  },
  'the processes whose claims on mails have lapsed': {
    ask: async (_app, db) => await listLateClaimants(db, WAITING_MAILS, NOW.getTime()),
    rows: 10,
  },
  'the posters that are due': {
    ask: async (_app, db) => await readQueue(db, WAITING_REQUESTS),
    rows: 60,
  },
  'the cards without a copy of their poster': {
    ask: async (_app, db) => await addMissingRequests(db, { now: NOW, limit: 100 }),
    rows: 250,
  },
  'the import that is due, and imports that are too old': {
    ask: async (_app, db) => {
      await readQueue(db, RUNNING_IMPORTS)
      await deleteOldImport(db, new Date('2020-01-01T00:00:00.000Z'))
      await nextRemoval(db)
    },
    rows: 10,
  },
  'a batch of an import': {
    ask: async (_app, db) => {
      await listRowsToApply(db, LONG_IMPORT, 100)
      // As many as a batch has.
      const unknown = Array.from({ length: 200 }, (_, n) => `another film ${n}`)
      const keys = { movieKeys: ['imdb:tt0000007', 'imdb:tt0000008'], titleKeys: ['card 7', 'card 8', ...unknown] }
      await findOthersInBox(db, { watchlistId: BIG, userId: BUSY.userId }, keys)
    },
    rows: 250,
    sortsTheAnswer: true,
  },
  'a batch of the undo of an import': {
    ask: async (_app, db) => await listRowsToUndo(db, LONG_IMPORT, 100),
    rows: 100,
  },
  'the pictures and seen marks of an import': {
    ask: async (_app, db) => {
      await lastOfCatalogue(db, BIG, FROM_CATALOGUE)
      const brought = { watchlistId: BIG, userId: BUSY.userId, importId: LONG_IMPORT.importId }
      await takeBackBrought(db, brought, 100)
    },
    rows: 3_000,
    sortsTheAnswer: true,
  },
  'the images that are in use': {
    ask: async (_app, db) => await findUsed(db, ['a'.repeat(64), 'b'.repeat(64)]),
    rows: 10,
  },
  'the images whose removal was not finished': {
    ask: async (_app, db) => await listForsakenClaims(db, NOW.toISOString()),
    rows: 10,
  },
  'the stored replies that are too old': {
    ask: async (_app, db) => {
      await removeReplies(db, NOW.toISOString())
    },
    rows: 10,
  },
}

eachDatabase({ product: productMigrations }, (theDatabase) => {
  let reading: ReturnType<typeof capturing>
  let app: Awaited<ReturnType<typeof startApp>>

  beforeAll(async () => {
    if (theDatabase().dialect === 'sqlite') {
      // Nothing analyzes SQLite in use, so its plans are the same however many watchlists there are.
      await fillTables(theDatabase(), 1, TRIES_ALL ? undefined : 400)
    } else {
      await fillTables(theDatabase())
      await analyze(theDatabase())
    }
    reading = capturing(theDatabase().read)
    app = await startCapturedApp()
  }, FILLS_WITHIN_MS)
  afterAll(async () => await app.stop())

  async function startCapturedApp() {
    return await startApp({ ...theDatabase(), read: reading.db })
  }

  /** All statements of a list, sent by a running app. */
  async function statementsOf({ ask }: List, by: TestApp = app): Promise<CompiledQuery[]> {
    reading.captured.splice(0)
    await ask(by, reading.db)
    return reading.captured.splice(0)
  }

  async function faultsOnSqlite(
    { sortsTheAnswer, walksCoveringIndex, looksUpWords }: List,
    query: CompiledQuery,
  ): Promise<string[]> {
    const plan = await sqlitePlan(theDatabase().read, query)
    if (walksCoveringIndex && query.sql.includes('folded_genres')) {
      return plan.filter((step) => !step.startsWith('SEARCH card USING COVERING INDEX card_library_'))
    }
    if (looksUpWords && query.sql.includes('folded_title')) {
      const lookups = [
        'SEARCH card_words USING PRIMARY KEY (watchlist_id=? AND word>? AND word<?)',
        'SEARCH card USING PRIMARY KEY (watchlist_id=? AND id=?)',
      ]
      // The found cards are a table with the same name.
      return [
        ...lookups.filter((step) => !plan.includes(step)),
        ...plan.filter((step) => /^SCAN (?!card$)/u.test(step)),
      ]
    }
    return plan.filter((step) => {
      // The requested ids, the ids of a card, and the rows that a sub-select has found.
      if (/^SCAN (?:json_each|value|c|suggester|found|place|id|CONSTANT ROW)\b/u.test(step)) return false
      // The first entries of a partial index, up to the limit.
      if (step.startsWith('SCAN card USING INDEX card_uncopied')) return false
      // The first few entries of an index, in its order.
      if (/^SCAN \w+ USING (?:COVERING )?INDEX/u.test(step) && isTheFirstFew(query)) return false
      if (step.includes('ORDER BY') && !step.includes('json_group_array')) return sortsTheAnswer !== true
      // All cards of a watchlist. Only the box is listed like this, up to a limit.
      if (step === 'SEARCH card USING PRIMARY KEY (watchlist_id=?)') {
        return !(query.sql.includes("card.status = 'SUGGESTED'") && query.sql.endsWith(' limit ?'))
      }
      return step.startsWith('SCAN ') || step.includes('AUTOMATIC')
    })
  }

  function isTheFirstFew(query: CompiledQuery): boolean {
    return query.sql.endsWith(' limit ?') && !query.sql.includes(' where ')
  }

  async function faultsOnPostgres({ rows }: List, query: CompiledQuery): Promise<string[]> {
    const steps = await postgresSteps(theDatabase().read, query)
    return steps
      .filter((step) => step.type === 'Seq Scan' || step.rows > rows)
      .map((step) => `${step.type} of ${step.rows} rows ${step.table ?? ''}`)
  }

  test.each(Object.keys(LISTS))('an index finds %s, however large the tables are', async (name) => {
    const list = LISTS[name]
    if (!list) throw new Error(name)
    const faultsOf = theDatabase().dialect === 'sqlite' ? faultsOnSqlite : faultsOnPostgres

    const statements = await statementsOf(list)
    const faults: string[] = []
    for (const statement of statements) {
      for (const fault of await faultsOf(list, statement)) faults.push(`${fault} in ${statement.sql}`)
    }

    expect(statements.length).toBeGreaterThan(0)
    expect(faults).toEqual([])
  })

  test('the media server filter of the library looks up at most one slice, even without table statistics', async () => {
    if (theDatabase().dialect === 'sqlite') return
    const { db, captured } = capturing(theDatabase().read)
    await askListed(db, 'changed')
    const [statement] = captured.filter((query) => query.sql.includes('media_movie'))
    if (!statement) throw new Error('The statement was not sent')
    const forget = new Error('The statistics come back')

    let lookups: number[] = []
    const looked = theDatabase().transaction(async (trx) => {
      await sql`delete from pg_statistic`.execute(trx)
      const steps = await postgresSteps(trx, statement)
      lookups = steps.filter(({ table }) => table === 'media_movie').map(({ loops }) => loops)
      throw forget
    })

    await expect(looked).rejects.toBe(forget)
    expect(lookups).toEqual([500])
  })

  test('the statistics of a watchlist of 6,000 cards take at most 260 statements on SQLite and 50 on PostgreSQL', async () => {
    const list = LISTS['the statistics of all time']
    if (!list) throw new Error('There is no such list')

    // It has read nothing yet.
    const another = await startCapturedApp()
    const { length } = await statementsOf(list, another)
    await another.stop()

    expect(length).toBeLessThanOrEqual(theDatabase().dialect === 'sqlite' ? 260 : 50)
  })
})
