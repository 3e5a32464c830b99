import { sql } from 'kysely'

import { Movie } from '@marquee/contract/entities/movie'
import { idempotencyMigrations } from '@marquee/platform/idempotency/migrations/index'
import type { Database } from '@marquee/platform/database/database'
import { migrate } from '@marquee/platform/database/migrate'
import { mailMigrations } from '@marquee/platform/mail/migrations/index'
import { systemClock } from '@marquee/platform/runtime/clock'

import type { Caller } from './call.ts'
import { A_MEDIA_SERVER, A_REQUEST_SERVER } from './media-servers.ts'

/** The watchlist with many rows in every table. */
export const BIG = 'watchlist-0'
/** Its card with the most comments. */
export const TALKED_ABOUT = `${BIG}-card-1`
/** A user with many watchlists and many invitations. */
export const BUSY: Caller = { userId: 'person-0', username: 'person-0' }

/** A night of it, with a vote. */
export const NIGHT = `${BIG}_${nightId(1)}`

/** An import with many rows. */
export const LONG_IMPORT = { userId: 'user-0', importId: 'import-0' }

const MANY_WATCHLISTS = 4_000
const PEOPLE = 2_000
const CHUNK = 2_000
const SIZES = {
  members: { big: 100, other: 3 },
  cards: { big: 6_000, other: 4 },
  wants: { big: 2_000, other: 4 },
  comments: { big: 4_000, other: 1 },
  invitations: { big: 60, other: 2 },
  nights: { big: 500, other: 1 },
  draws: { big: 2_000, other: 2 },
  shares: { big: 500, other: 5 },
  joinLinks: { big: 40, other: 1 },
  deliveries: { big: 2_000, other: 10 },
  mediaMovies: { big: 20_000, other: 2 },
  movieRequests: { big: 2_000, other: 2 },
}

const times: string[] = []
/** Times one second apart. Millions of rows share them. */
const at = (n: number) => (times[n] ??= new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString())
/** Rows of queues wait. A row that lies further ahead would count as dated by a wrong clock. */
const LATER = systemClock.now().getTime() + 30 * 60_000
const FOREVER = '2999-01-01T00:00:00.000Z'

type Rows = Record<string, unknown>[]

/**
 * Fills the tables of an empty database with so many rows that a full scan for one reply is noticed, or with this part of
 * them. Fewer watchlists leave the big one as it is.
 */
export async function fillTables(database: Database<unknown>, part = 1, watchlists = MANY_WATCHLISTS): Promise<void> {
  const { numbers, perWatchlist } = amountsOf(part, watchlists)
  await migrate(database, 'mail', mailMigrations)
  await migrate(database, 'idempotency', idempotencyMigrations)
  const tables: Record<string, Rows> = {
    watchlist: numbers(watchlists).map(watchlist),
    person: numbers(PEOPLE).map((n) => ({ user_id: `person-${n}`, username: `person-${n}` })),
    ...memberships(perWatchlist),
    card: perWatchlist(SIZES.cards, card),
    availability: numbers(20_000).map((n) => ({
      country: n % 2 === 0 ? 'DE' : 'US',
      tmdb_id: String(n),
      offers: '{}',
      asked_at: at(n),
    })),
    media_server: numbers(watchlists).map(mediaServer),
    media_list: numbers(watchlists).map(mediaList),
    media_movie: perWatchlist(SIZES.mediaMovies, mediaMovie),
    media_hook: numbers(watchlists).map(mediaHook),
    media_link: numbers(watchlists).map(mediaLink),
    media_mark: perWatchlist(SIZES.cards, mediaMark),
    request_server: numbers(watchlists).map((n) => ({ ...A_REQUEST_SERVER, watchlist_id: `watchlist-${n}` })),
    movie_request: perWatchlist(SIZES.movieRequests, movieRequest),
    status_change: perWatchlist(SIZES.cards, (list, n) => [change(list, n, 0), change(list, n, 1)]).flat(),
    card_wants: perWatchlist(SIZES.wants, want),
    comment: perWatchlist(SIZES.comments, comment),
    card_viewings: perWatchlist(SIZES.cards, viewing),
    rated_mark: perWatchlist(SIZES.cards, ratedMark),
    poster_request: numbers(watchlists).map(posterRequest),
    movie_import: numbers(5_000).map(finishedImport),
    import_row: numbers(6_000).map(importRow),
    draw_state: numbers(watchlists).map(drawState),
    draw: perWatchlist(SIZES.draws, draw),
    draw_pick: perWatchlist(SIZES.draws, pick),
    draw_share: perWatchlist(SIZES.shares, share),
    ...invitations(perWatchlist),
    night: perWatchlist(SIZES.nights, night),
    night_answer: perWatchlist(SIZES.nights, nightPerson).map((row) => ({ ...row, starts_at: at(0), answer: 'in' })),
    night_presence: perWatchlist(SIZES.nights, nightPerson).map((row) => ({ ...row, since: at(0) })),
    night_film: perWatchlist(SIZES.nights, nightFilm),
    night_viewer: perWatchlist(SIZES.nights, nightViewer),
    night_reminder: perWatchlist(SIZES.nights, nightReminder),
    night_mail: perWatchlist(SIZES.nights, nightMail),
    night_vote: perWatchlist(SIZES.nights, nightVote),
    night_ballot: perWatchlist(SIZES.nights, nightBallot),
    night_absentee: perWatchlist(SIZES.nights, nightAbsentee),
    night_veto: perWatchlist(SIZES.nights, nightVeto),
    night_pass: perWatchlist(SIZES.nights, nightPass),
    night_setting: numbers(watchlists).map((n) => ({ watchlist_id: `watchlist-${n}`, veto_budget: 2 })),
    night_feed: numbers(watchlists).map(nightFeed),
    join_link: perWatchlist(SIZES.joinLinks, joinLink),
    join_policy: numbers(watchlists).map((n) => ({ watchlist_id: `watchlist-${n}`, creators: 'members' })),
    webhook: numbers(watchlists).map(webhook),
    webhook_delivery: perWatchlist(SIZES.deliveries, delivery),
    personal_token: numbers(5_000).map(personalToken),
    push_subscription: numbers(5_000).map(pushDevice),
    push_message: numbers(5_000).map(pushMessage),
    activity: numbers(watchlists).map(reminder),
    notification: numbers(PEOPLE).flatMap((n) => numbers(n === 0 ? 500 : 2).map((of) => notification(n, of))),
    notification_mail: numbers(PEOPLE).map(waitingMail),
    image_hold: numbers(5_000).map(hold),
    mail_outbox: numbers(5_000).map(mail),
  }
  for (const [table, rows] of Object.entries(tables)) await insert(database, table, rows)
  // JSON has no bytes.
  await database.withTables<{ idempotent_reply: Record<string, unknown> }>().transaction(async (trx) => {
    await trx.insertInto('idempotent_reply').values(numbers(5_000).map(reply)).execute()
  })
}

/** Sends many rows as one JSON text, because a statement with a parameter for each value takes many times as long. */
async function insert(database: Database<unknown>, table: string, rows: Rows): Promise<void> {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const columns = sql.join(names.map((name) => sql.ref(name)))
  const values = names.map((name) => sql`value ->> ${sql.lit(name)}`)
  await database.transaction(async (trx) => {
    for (let begin = 0; begin < rows.length; begin += CHUNK) {
      const json = JSON.stringify(rows.slice(begin, begin + CHUNK))
      const selected =
        database.dialect === 'sqlite'
          ? sql`select ${sql.join(values)} from json_each(${json})`
          : sql`select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${json})`
      await sql`insert into ${sql.table(table)} (${columns}) ${selected}`.execute(trx)
    }
  })
}

type Amounts = {
  numbers: (count: number) => number[]
  perWatchlist: <T>(size: { big: number; other: number }, make: (list: number, n: number) => T) => T[]
}

/** Every watchlist that is made is complete, except the big one. */
function amountsOf(part: number, watchlists: number): Amounts {
  const count = (length: number) => Array.from({ length }, (_, n) => n)
  const numbers = (length: number) => count(Math.ceil(length * part))
  return {
    numbers,
    perWatchlist: ({ big, other }, make) =>
      numbers(watchlists).flatMap((list) => (list === 0 ? numbers(big) : count(other)).map((n) => make(list, n))),
  }
}

function drawState(n: number): Rows[number] {
  return {
    watchlist_id: `watchlist-${n}`,
    rule: 'waiting',
    rest: 3,
    draw_count: SIZES.draws[n === 0 ? 'big' : 'other'],
  }
}

function watchlist(n: number): Rows[number] {
  const boxCount = (n === 0 ? SIZES.cards.big : SIZES.cards.other) / 2
  return {
    id: `watchlist-${n}`,
    name: `List ${n}`,
    owner_id: 'person-1',
    owner_username: 'person-1',
    created_at: at(n),
    updated_at: at(n),
    box_count: boxCount,
    member_count: n === 0 ? SIZES.members.big : SIZES.members.other,
  }
}

/** The busy user is the first member of every twentieth watchlist. */
const who = (list: number, n: number) => (n === 0 && list % 20 === 0 ? 0 : 1 + ((list * 7 + n) % (PEOPLE - 1)))

function memberships(perWatchlist: Amounts['perWatchlist']): { member: Rows; person_watchlist: Rows } {
  const member = perWatchlist(SIZES.members, (list, n) => ({
    watchlist_id: `watchlist-${list}`,
    user_id: `person-${who(list, n)}`,
    username: `person-${who(list, n)}`,
    joined_at: at(list + n),
  }))
  return { member, person_watchlist: member.map(({ username: _username, ...row }) => row) }
}

function card(list: number, n: number): Rows[number] {
  const isBoxed = n % 2 === 0
  return {
    watchlist_id: `watchlist-${list}`,
    id: `watchlist-${list}-card-${n}`,
    title: `Card ${n}`,
    folded_title: `card ${n}`,
    // No media server has it.
    movie: JSON.stringify(Movie.parse({ ids: { tmdb: String(1_000_000 + n) } })),
    description: 'A film that everyone ought to see. '.repeat(4),
    ...(n % 3 === 0
      ? { image_url: null, image_hash: `image-${list}-${n}` }
      : { image_url: 'https://example.org/a.jpg', image_hash: null }),
    status: isBoxed ? 'SUGGESTED' : 'WATCHED',
    creator_id: `person-${n % 50 === 0 ? 0 : 1}`,
    creator_username: `person-${n % 50 === 0 ? 0 : 1}`,
    created_at: at(n),
    updated_at: at(n),
    status_changed_at: at(n),
    status_change_count: 2,
    selection_index: isBoxed ? n / 2 : null,
  }
}

function change(list: number, n: number, seq: number): Rows[number] {
  return {
    watchlist_id: `watchlist-${list}`,
    card_id: `watchlist-${list}-card-${n}`,
    seq,
    status: seq === 0 ? 'SUGGESTED' : 'WATCHED',
    changed_by: 'person-1',
    changed_at: at(n),
  }
}

/** The busy user wants two of twenty. */
function want(list: number, n: number): Rows[number] {
  return {
    watchlist_id: `watchlist-${list}`,
    card_id: `watchlist-${list}-card-${n}`,
    user_id: `person-${n % 20 < 2 ? 0 : 2}`,
    created_at: at(n),
    id: `want-${n}`,
    username: `person-${n % 20 < 2 ? 0 : 2}`,
    title: `Card ${n}`,
    movie: null,
  }
}

/** The busy user has seen every second movie of the feed. */
function ratedMark(list: number, n: number): Rows[number] {
  const { watchlist_id, card_id, user_id } = viewing(list, n)
  return { watchlist_id, card_id, user_id, import_id: `import-${n % 10}` }
}

function viewing(list: number, n: number): Rows[number] {
  return {
    watchlist_id: `watchlist-${list}`,
    card_id: `watchlist-${list}-card-${n}`,
    user_id: n % 4 === 1 ? 'person-0' : 'person-1',
    username: n % 4 === 1 ? 'person-0' : 'person-1',
    half_stars: 1 + (n % 10),
    changed_at: at(n),
  }
}

function draw(list: number, n: number): Rows[number] {
  return {
    watchlist_id: `watchlist-${list}`,
    draw_number: n + 1,
    status: 'revealed',
    rule: 'cards',
    picks: 1,
    eligible: 1,
    seeds: '[]',
    prepared_at: at(n),
    revealed_at: at(n),
    username: 'person-1',
  }
}

function share(list: number, n: number): Rows[number] {
  const watchlist_id = `watchlist-${list}`
  return { watchlist_id, revealed_at: at(n), draw_number: n + 1, username: 'person-1', expected: '0.5', actual: 1 }
}

function pick(list: number, n: number): Rows[number] {
  const card_id = `watchlist-${list}-card-1`
  return { watchlist_id: `watchlist-${list}`, draw_number: n + 1, place: 0, card_id }
}

/** An id has the length of a UUID. */
function nightId(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
}

/** The newest ten of the big watchlist are planned. */
function night(list: number, n: number): Rows[number] {
  const isPlanned = n >= SIZES.nights.big - 10
  return {
    watchlist_id: `watchlist-${list}`,
    id: nightId(n),
    state: isPlanned ? 'planned' : 'ended',
    times: JSON.stringify([at(n)]),
    time_zone: 'UTC',
    revision: 0,
    current_until: isPlanned ? FOREVER : at(n),
    created_by: 'person-1',
    created_at: at(n),
    updated_at: at(n),
  }
}

function nightPerson(list: number, n: number): Rows[number] {
  return { watchlist_id: `watchlist-${list}`, night_id: nightId(n), user_id: 'person-1', username: 'person-1' }
}

function nightFilm(list: number, n: number): Rows[number] {
  const { watchlist_id, id: card_id } = card(list, n)
  return { watchlist_id, card_id, night_id: nightId(n), accepted_at: at(n) }
}

function nightViewer(list: number, n: number): Rows[number] {
  const { watchlist_id, id: card_id } = card(list, n)
  return { watchlist_id, card_id, user_id: 'person-1', username: 'person-1' }
}

function nightReminder(list: number, n: number): Rows[number] {
  return { watchlist_id: `watchlist-${list}`, night_id: nightId(n), due_at: new Date(LATER).toISOString() }
}

function nightMail(list: number, n: number): Rows[number] {
  const night = { watchlist_id: `watchlist-${list}`, night_id: nightId(n), changed_by: 'person-1', due_at: LATER }
  return { ...night, user_id: 'person-2', username: 'person-2' }
}

function nightVote(list: number, n: number): Rows[number] {
  const key = { watchlist_id: `watchlist-${list}`, night_id: nightId(n), draw_number: 1 }
  return { ...key, opened_by: 'person-1', opened_at: at(n) }
}

function nightBallot(list: number, n: number): Rows[number] {
  const key = { watchlist_id: `watchlist-${list}`, night_id: nightId(n), draw_number: 1 }
  return { ...key, user_id: 'person-1', scores: '{}', veto: null, voted_at: at(n) }
}

function nightAbsentee(list: number, n: number): Rows[number] {
  const key = { watchlist_id: `watchlist-${list}`, night_id: nightId(n), draw_number: 1 }
  return { ...key, user_id: 'person-2', is_removed: 0 }
}

function nightVeto(list: number, n: number): Rows[number] {
  const { watchlist_id, id: card_id } = card(list, n)
  const user_id = `person-${n % 50}`
  return { watchlist_id, night_id: nightId(n), card_id, seq: 2, user_id, present: 3, vetoed_at: at(n) }
}

function nightPass(list: number, n: number): Rows[number] {
  const key = { watchlist_id: `watchlist-${list}`, night_id: nightId(n), id: 'guest-1' }
  return { ...key, kind: 'guest', token_hash: `hash-${n}`, name: 'Lea', created_at: at(n), expires_at: at(n) }
}

function nightFeed(n: number): Rows[number] {
  return { watchlist_id: `watchlist-${n}`, user_id: 'person-0', token_hash: `hash-${n}`, created_at: at(n) }
}

function finishedImport(n: number): Rows[number] {
  return {
    user_id: `user-${n}`,
    id: `import-${n}`,
    watchlist_id: `watchlist-${n % MANY_WATCHLISTS}`,
    username: `user-${n}`,
    file_name: 'watchlist.csv',
    format: 'letterboxd',
    state: 'applied',
    problems: '[]',
    problem_count: 0,
    created_at: n < 5 ? at(0) : FOREVER,
    due_at: null,
  }
}

/** The first half is applied. */
function importRow(place: number): Rows[number] {
  return {
    user_id: LONG_IMPORT.userId,
    import_id: LONG_IMPORT.importId,
    place,
    file_row: place + 1,
    title: `Card ${place}`,
    movie: '{}',
    is_seen: place % 2,
    category: 'new',
    is_chosen: 1,
    card_id: `imported-${place}`,
    outcome: place < 3_000 ? 'added' : null,
  }
}

function posterRequest(list: number): Rows[number] {
  return {
    watchlist_id: `watchlist-${list}`,
    card_id: `watchlist-${list}-card-1`,
    user_id: 'person-1',
    url: 'https://example.org/a.jpg',
    attempts: 0,
    due_at: list < 5 ? 0 : LATER + list,
  }
}

function comment(list: number, n: number): Rows[number] {
  return {
    watchlist_id: `watchlist-${list}`,
    card_id: list === 0 ? TALKED_ABOUT : `watchlist-${list}-card-1`,
    id: `comment-${String(n).padStart(6, '0')}`,
    author_id: 'person-1',
    author_username: 'person-1',
    content: 'What a film. '.repeat(5),
    created_at: at(n),
    updated_at: at(n),
  }
}

/** The busy user is invited to every second watchlist. */
function invitations(perWatchlist: Amounts['perWatchlist']): { invitation: Rows; person_invitation: Rows } {
  const who = (list: number, n: number) => (n === 0 && list % 2 === 1 ? 0 : 500 + ((list * 11 + n) % 1_000))
  const invitation = perWatchlist(SIZES.invitations, (list, n) => ({
    watchlist_id: `watchlist-${list}`,
    user_id: `person-${who(list, n)}`,
    username: `person-${who(list, n)}`,
    invited_by: 'person-1',
    created_at: at(list + n),
    expires_at: FOREVER,
  }))
  return {
    invitation,
    person_invitation: invitation.map((row) => ({ ...row, token_hash: `hash of ${row.watchlist_id}` })),
  }
}

/** Every second link was revoked. */
function joinLink(list: number, n: number): Rows[number] {
  return {
    watchlist_id: `watchlist-${list}`,
    id: `link-${n}`,
    token_hash: `hash of link ${n} of ${list}`,
    user_id: 'person-1',
    username: 'person-1',
    created_at: at(n),
    expires_at: FOREVER,
    revoked_at: n % 2 === 0 ? null : at(n),
    max_uses: 10,
    uses: 0,
  }
}

function mediaServer(list: number): Rows[number] {
  const place = { watchlist_id: `watchlist-${list}`, id: 'server', list_id: 'list' }
  return { ...A_MEDIA_SERVER, ...place, claimed_by: null, due_at: LATER }
}

function mediaList(list: number): Rows[number] {
  return { watchlist_id: `watchlist-${list}`, id: 'list', server_id: 'server', due_at: null }
}

function mediaHook(list: number): Rows[number] {
  const counts = { taken: 0, unlinked: 0, unmatched: 0 }
  return { watchlist_id: `watchlist-${list}`, server_id: 'server', secret_hash: 'hash', made_at: at(list), ...counts }
}

/** The first member of each watchlist has a link. */
function mediaLink(list: number): Rows[number] {
  return {
    watchlist_id: `watchlist-${list}`,
    server_id: 'server',
    user_id: `person-${who(list, 0)}`,
    username: `person-${who(list, 0)}`,
    state: 'linked',
    remote_id: 'user',
    remote_name: 'User',
    device: 'device',
    token: 'token',
    is_sent: 1,
    linked_at: at(list),
    failures: 0,
    retry_at: 0,
  }
}

function mediaMark(list: number, n: number): Rows[number] {
  const { watchlist_id, server_id, user_id } = mediaLink(list)
  const due = n % 50 === 0 ? { wanted: 1, due_at: LATER } : { known: 1 }
  const card_id = `watchlist-${list}-card-${n}`
  return {
    watchlist_id,
    server_id,
    user_id,
    card_id,
    version: 0,
    attempts: 0,
    known: null,
    wanted: null,
    due_at: null,
    ...due,
  }
}

function mediaMovie(list: number, n: number): Rows[number] {
  return {
    watchlist_id: `watchlist-${list}`,
    list_id: 'list',
    movie_key: `tmdb:${n}`,
    item_id: `item-${n}`,
    year: null,
  }
}

/** One of ten is open. */
function movieRequest(list: number, n: number): Rows[number] {
  const place = { watchlist_id: `watchlist-${list}`, tmdb_id: String(n), card_id: `card-${n}`, asker_id: 'person-1' }
  const isOpen = n % 10 === 0
  return {
    ...place,
    state: isOpen ? 'coming' : 'here',
    sent_at: at(n),
    due_at: isOpen ? LATER : null,
    attempts: 1,
    claimed_by: null,
  }
}

function webhook(list: number): Rows[number] {
  return {
    watchlist_id: `watchlist-${list}`,
    id: 'webhook',
    name: 'Chat',
    format: 'slack',
    host: 'chat.example.org',
    target: 'sealed',
    kinds: '["card.revealed"]',
    state: 'on',
    created_at: at(0),
    failures: 0,
    failing_since: null,
    retry_at: 0,
    creator_id: null,
  }
}

/** Every tenth waits, for a later time. */
function delivery(list: number, n: number): Rows[number] {
  return {
    watchlist_id: `watchlist-${list}`,
    webhook_id: 'webhook',
    id: `delivery-${String(n).padStart(6, '0')}`,
    kind: 'card.revealed',
    card_id: null,
    item_id: '1',
    username: 'person-1',
    created_at: at(n),
    state: n % 10 === 0 ? 'waiting' : 'delivered',
    attempts: 1,
    status: 200,
    due_at: n % 10 === 0 ? LATER : null,
  }
}

/** The first person has 50 of them. */
function personalToken(n: number): Rows[number] {
  return {
    user_id: `person-${n < 50 ? 0 : n}`,
    id: `token-${n}`,
    token_hash: `hash of token ${n}`,
    username: 'someone',
    name: 'Backup',
    scope: 'read',
    created_at: at(n),
    used_at: null,
    expires_at: null,
  }
}

/** The first person has 20 of them. */
function pushDevice(n: number): Rows[number] {
  return {
    user_id: `person-${n < 20 ? 0 : n}`,
    id: `device-${n}`,
    username: 'someone',
    session_id: 'session',
    device: 'Firefox on Windows',
    target: 'sealed',
    created_at: at(n),
    used_at: null,
    failures: 0,
    retry_at: 0,
  }
}

function pushMessage(n: number): Rows[number] {
  return {
    user_id: `person-${n < 20 ? 0 : n}`,
    subscription_id: `device-${n}`,
    notification_id: 'notification',
    created_at: 0,
    due_at: LATER + n,
  }
}

function reminder(list: number): Rows[number] {
  return {
    watchlist_id: `watchlist-${list}`,
    id: 'activity-1',
    kind: 'night-tomorrow',
    night_id: nightId(1),
    created_at: at(0),
    due_at: LATER + list,
  }
}

/** Those of the busy user are about watchlists of which they are a member. */
function notification(person: number, n: number): Rows[number] {
  return {
    user_id: `person-${person}`,
    id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    watchlist_id: `watchlist-${(n % 5) * 20}`,
    kind: 'revealed',
    actor: 'person-1',
    card_id: `watchlist-${(n % 5) * 20}-card-1`,
    created_at: at(n),
    is_read: n % 2,
  }
}

function waitingMail(person: number): Rows[number] {
  return {
    user_id: `person-${person}`,
    notification_id: '00000000-0000-7000-8000-000000000000',
    username: `person-${person}`,
    due_at: LATER + person,
  }
}

function hold(n: number): Rows[number] {
  return { hash: `image-${n}`, held_until: n < 5 ? at(0) : FOREVER, is_going: n % 2 }
}

function mail(n: number): Rows[number] {
  return {
    id: `mail-${n}`,
    recipient: 'anna@example.org',
    subject: 'Hello',
    text_body: 'Hello. '.repeat(50),
    html_body: '<p>Hello</p>',
    created_at: at(n),
    attempts: 0,
    due_at: n < 5 ? 0 : LATER + n,
  }
}

function reply(n: number): Rows[number] {
  return {
    user_id: `person-${n % 100}`,
    endpoint: 'POST /api/watchlists',
    key_hash: Buffer.from(`key ${n}`),
    request_mac: Buffer.from(`request ${n}`),
    reply_box: Buffer.from(`reply ${n}`),
    created_at: n < 5 ? '2000-01-01T00:00:00.000Z' : FOREVER,
  }
}
