import { describe, expect, test } from 'vitest'
import type { z } from 'zod'

import { ENDPOINTS, MAX_BODY_BYTES, MAX_IMAGE_BODY_BYTES } from './endpoints.ts'
import { MAX_PASSKEY_NAME_LENGTH } from './entities/account.ts'
import { Movie } from './entities/movie.ts'
import * as limits from './base/limits.ts'
import { HEARTBEAT_MS } from './base/live-events.ts'
import { RATE_LIMITS, READS_BY_ADDRESS, WRONG_NIGHT_CODES } from './base/rate-limits.ts'

test('the limits have the values in docs/product/limits.md', () => {
  expect({ ...limits, MAX_BODY_BYTES, MAX_IMAGE_BODY_BYTES, MAX_PASSKEY_NAME_LENGTH, HEARTBEAT_MS }).toEqual({
    CARDS_PAGE_SIZE: 10,
    COMMENTS_PAGE_SIZE: 10,
    MAX_PAGE_SIZE: 50,
    EMBEDDED_COMMENTS: 3,
    PASSWORD_MIN_LENGTH: 8,
    CODE_LENGTH: 6,
    MAX_IMAGE_BYTES: 5_242_880,
    MAX_IMAGE_PIXELS: 24_000_000,
    IMAGE_WIDTHS: [320, 640],
    AVATAR_SIZES: [200, 400],
    IMAGE_URL_EXTENSIONS: ['jpeg', 'jpg', 'gif', 'png', 'webp'],
    MAX_USERNAME_LENGTH: 128,
    MAX_WATCHLIST_NAME_LENGTH: 120,
    MAX_WATCHLIST_DESCRIPTION_LENGTH: 2_000,
    MAX_CARD_TITLE_LENGTH: 300,
    MAX_CARD_DESCRIPTION_LENGTH: 5_000,
    MAX_COMMENT_LENGTH: 5_000,
    MAX_URL_LENGTH: 2_048,
    MAX_CATALOGUE_QUERY_LENGTH: 200,
    MAX_GENRE_LENGTH: 60,
    MAX_LIBRARY_QUERY_LENGTH: 200,
    MAX_DIRECTOR_LENGTH: 120,
    MAX_CATALOGUE_RESULTS: 20,
    MAX_GENRES: 10,
    MAX_DIRECTORS: 20,
    MAX_RUNTIME_MINUTES: 60_000,
    MOVIE_YEARS: { first: 1870, last: 2200 },
    EARLIEST_TIME: '1970-01-01T00:00:00.000Z',
    MAX_IMPORT_BYTES: 8_388_608,
    MAX_UNZIPPED_BYTES: 25_165_824,
    MAX_IMPORT_ROWS: 10_000,
    MAX_IMPORT_FILE_NAME_LENGTH: 200,
    MAX_IMPORT_DECISIONS: 500,
    IMPORT_PAGE_SIZE: 50,
    MAX_SERVICES: 50,
    MAX_SHOWN_PROBLEMS: 100,
    IMPORT_UNDO_DAYS: 30,
    MAX_VIEWING_NOTE_LENGTH: 300,
    MAX_WATCHLISTS_PER_USER: 200,
    MAX_MEMBERS_PER_WATCHLIST: 100,
    MAX_NIGHT_TIMES: 3,
    MAX_NIGHT_PLACE_LENGTH: 300,
    MAX_NICKNAME_LENGTH: 40,
    MAX_NIGHT_GUESTS: 30,
    MAX_NIGHT_NOTE_LENGTH: 2_000,
    MAX_PLANNED_NIGHTS: 20,
    MAX_NIGHT_FILMS: 20,
    RATE_NIGHT_AFTER_HOURS: 12,
    MAX_UNRATED_FILMS: 3,
    NIGHT_LASTS_HOURS: 24,
    MAX_CHECKABLE_CARDS: 2_000,
    MAX_DRAW_FILTER_LENGTH: 4_000,
    MAX_DRAW_PICKS: 7,
    MAX_DRAW_SEEDS: 200,
    SEED_OPENING_MS: 2_000,
    MAX_SEEDS_PER_PERSON: 5,
    DRAW_PREPARED_MS: 3_600_000,
    DRAW_BAND: 5,
    DRAW_RUNTIME_STEP: 15,
    MAX_GUESTS_PER_ADDRESS: 8,
    MAX_PREPARED_DRAWS: 10,
    DRAWS_PAGE_SIZE: 20,
    MIN_COUNTED_BALLOTS: 3,
    DEFAULT_VETO_BUDGET: 2,
    MAX_VETO_BUDGET: 10,
    MAX_RESTORE_BYTES: 16_777_216,
    MAX_RESTORED_CARDS: 10_000,
    MAX_RESTORED_ENTRIES: 1_000,
    MAX_RESTORED_WANTS: 100_000,
    INVITATION_VALID_DAYS: 7,
    MAX_JOIN_LINK_DAYS: 30,
    MAX_JOIN_LINK_USES: 100,
    MAX_OPEN_JOIN_LINKS: 20,
    MAX_MAIL_INVITATIONS: 50,
    MAX_INVITATION_MAILS_PER_DAY: 5,
    MAX_EMAIL_LENGTH: 254,
    MAX_RECEIVED_INVITATIONS: 100,
    MAX_WEBHOOKS: 10,
    MAX_WEBHOOK_NAME_LENGTH: 60,
    MAX_WEBHOOK_URL_LENGTH: 2_048,
    WEBHOOK_LOG_LENGTH: 50,
    MAX_MEDIA_SERVERS: 4,
    MAX_MEDIA_KEY_LENGTH: 512,
    MAX_MEDIA_USER_LENGTH: 100,
    MAX_MEDIA_PASSWORD_LENGTH: 200,
    MAX_MEDIA_ATTEMPT_LENGTH: 2_048,
    MAX_MEDIA_REPORT_BYTES: 262_144,
    MAX_MEDIA_REPORT_WITH_PICTURE_BYTES: 2_097_152,
    MAX_OPEN_REQUESTS: 200,
    MAX_NIGHT_SCREENS: 5,
    SCREEN_CODE_MINUTES: 10,
    MAX_PERSONAL_TOKENS: 50,
    MAX_NOTIFICATIONS: 500,
    MAX_PUSH_DEVICES: 20,
    MAX_PUSH_WAITING: 20,
    MAX_PUSH_ENDPOINT_LENGTH: 2_048,
    MAX_TOKEN_NAME_LENGTH: 60,
    UNDO_MS: 10_000,
    KEY_REMEMBERED_MS: 604_800_000,
    UNDO_GRACE_MS: 5_000,
    PROFILE_CACHE_MS: 300_000,
    IMAGE_SUCCESS_CLOSES_AFTER_MS: 2_000,
    INVITATION_REDIRECT_MS: 2_000,
    NIGHT_PASS_HOURS: 24,
    NOT_FOUND_REDIRECT_MS: 3_000,
    MOVIE_DESCRIPTION_ROWS: 8,
    WATCHLIST_DESCRIPTION_ROWS: 3,
    MAX_BODY_BYTES: 65_536,
    MAX_IMAGE_BODY_BYTES: 13_981_216,
    MAX_PASSKEY_NAME_LENGTH: 60,
    GUEST_VETO_BUDGET: 1,
    HEARTBEAT_MS: 20_000,
  })
})

test('the rate limits have the values in docs/product/limits.md', () => {
  expect({ ...RATE_LIMITS, byAddress: READS_BY_ADDRESS, wrongNightCodes: WRONG_NIGHT_CODES }).toEqual({
    read: { max: 1_200, windowSeconds: 60 },
    availability: { max: 300, windowSeconds: 60 },
    write: { max: 600, windowSeconds: 60 },
    invite: { max: 30, windowSeconds: 3_600 },
    joinLink: { max: 60, windowSeconds: 60 },
    setup: { max: 30, windowSeconds: 600 },
    requestScreen: { max: 60, windowSeconds: 600 },
    pairScreen: { max: 30, windowSeconds: 600 },
    joinNight: { max: 60, windowSeconds: 600 },
    webhook: { max: 30, windowSeconds: 3_600 },
    mediaServer: { max: 120, windowSeconds: 600 },
    mediaLink: { max: 240, windowSeconds: 600 },
    mediaSignIn: { max: 20, windowSeconds: 600 },
    plan: { max: 30, windowSeconds: 3_600 },
    upload: { max: 30, windowSeconds: 600 },
    checkUrl: { max: 30, windowSeconds: 60 },
    export: { max: 20, windowSeconds: 600 },
    stream: { max: 60, windowSeconds: 60 },
    import: { max: 20, windowSeconds: 3_600 },
    catalogueSearch: { max: 120, windowSeconds: 60 },
    catalogueMovie: { max: 60, windowSeconds: 60 },
    catalogueLink: { max: 30, windowSeconds: 60 },
    byAddress: { max: 3_000, windowSeconds: 60 },
    wrongNightCodes: {
      byAddress: { max: 60, windowSeconds: 3600 },
      byNetwork: { max: 600, windowSeconds: 3600 },
      inRefusedNetwork: { max: 3, windowSeconds: 3600 },
    },
  })
})

const CARD = { title: 'Alien', image: 'https://example.org/alien.jpg' }
const NIGHT = { times: ['2026-11-27T20:00'], timeZone: 'Europe/Berlin' }
const MEDIA_SERVER = { kind: 'jellyfin', url: 'https://media.example.org', token: 'key' }
const SEERR = { url: 'https://seerr.example.org', token: 'key' }
const WEBHOOK = { name: 'Chat', url: 'https://chat.example.org/hook', format: 'slack', kinds: ['card.revealed'] }
const filled = (length: number) => 'x'.repeat(length)

/** What a call accepts, with one text of the given length in it. */
const TEXTS: [string, z.ZodType, number, (text: string) => unknown][] = [
  ['the name of a watchlist', ENDPOINTS.createWatchlist.body, 120, (name) => ({ name })],
  ['a watchlist description', ENDPOINTS.createWatchlist.body, 2_000, (description) => ({ name: 'Films', description })],
  ['the title of a card', ENDPOINTS.addCard.body, 300, (title) => ({ ...CARD, title })],
  ['a card description', ENDPOINTS.addCard.body, 5_000, (description) => ({ ...CARD, description })],
  ['a comment', ENDPOINTS.addComment.body, 5_000, (content) => ({ content })],
  ['a username', ENDPOINTS.inviteUser.body, 128, (username) => ({ username })],
  [
    'an e-mail address',
    ENDPOINTS.inviteByMail.body,
    254,
    (text) => ({ email: text.replace(/x{12}$/u, '@example.org') }),
  ],
  ['the URL of an image', ENDPOINTS.validateImageUrl.body, 2_048, (url) => ({ url })],
  ['the code of the setup', ENDPOINTS.checkSetup.body, 64, (code) => ({ code })],
  ['the token of an invitation', ENDPOINTS.acceptInvitation.body, 128, (token) => ({ token })],
  ['the token of a join link', ENDPOINTS.joinByLink.body, 128, (token) => ({ token })],
  ['the token of a page', ENDPOINTS.listCards.query, 512, (nextToken) => ({ nextToken })],
  ['a search for a movie', ENDPOINTS.searchCatalogue.query, 200, (q) => ({ q })],
  ['a link to a movie', ENDPOINTS.readCatalogueLink.body, 2_048, (url) => ({ url })],
  ['the address of Seerr', ENDPOINTS.connectRequestServer.body, 2_048, (url) => ({ ...SEERR, url })],
  ['the key of Seerr', ENDPOINTS.connectRequestServer.body, 512, (token) => ({ ...SEERR, token })],
  ['the name of a webhook', ENDPOINTS.createWebhook.body, 60, (name) => ({ ...WEBHOOK, name })],
  ['the address of a media server', ENDPOINTS.connectMediaServer.body, 2_048, (url) => ({ ...MEDIA_SERVER, url })],
  ['the key of a media server', ENDPOINTS.connectMediaServer.body, 512, (token) => ({ ...MEDIA_SERVER, token })],
  ['a media server username', ENDPOINTS.linkWithPassword.body, 100, (name) => ({ name, password: '' })],
  ['a media server password', ENDPOINTS.linkWithPassword.body, 200, (password) => ({ name: 'lea', password })],
  ['a Quick Connect attempt', ENDPOINTS.finishQuickConnect.body, 2_048, (attempt) => ({ attempt })],
  [
    'the address that members open',
    ENDPOINTS.connectMediaServer.body,
    2_048,
    (openUrl) => ({ ...MEDIA_SERVER, openUrl }),
  ],
  ['the address of a webhook', ENDPOINTS.createWebhook.body, 2_048, (url) => ({ ...WEBHOOK, url })],
  [
    'the name of a personal token',
    ENDPOINTS.createPersonalToken.body,
    60,
    (name) => ({ name, scope: 'read', days: 7 }),
  ],
  ['the name of a passkey', ENDPOINTS.renamePasskey.body, 60, (name) => ({ name })],
  ['the name of an imported file', ENDPOINTS.beginImport.body, 200, (fileName) => ({ fileName, fileData: '' })],
  ['the place of a night', ENDPOINTS.planNight.body, 300, (place) => ({ ...NIGHT, place })],
  ['the note of a night', ENDPOINTS.planNight.body, 2_000, (note) => ({ ...NIGHT, note })],
  ['a genre', Movie, 60, (genre) => ({ genres: [genre] })],
  ['a director', Movie, 120, (director) => ({ directors: [director] })],
  ['an id', ENDPOINTS.getWatchlist.params, 64, (watchlistId) => ({ watchlistId })],
]

describe('texts', () => {
  test.each(TEXTS)('%s has a maximum length', (_what, schema, most, input) => {
    expect(schema.safeParse(input(filled(most))).success).toBe(true)
    expect(schema.safeParse(input(filled(most + 1))).success).toBe(false)
  })

  test('lengths count code points', () => {
    const { body } = ENDPOINTS.addComment

    expect(body.safeParse({ content: '🎬'.repeat(5_000) }).success).toBe(true)
    expect(body.safeParse({ content: '🎬'.repeat(5_001) }).success).toBe(false)
  })

  test('text is trimmed before it is measured', () => {
    expect(ENDPOINTS.addComment.body.parse({ content: `  ${filled(5_000)}\n` }).content).toBe(filled(5_000))
  })

  // Evidence: asvs-1.3.3
  test('text with a NUL character is refused', () => {
    const { error } = ENDPOINTS.addComment.body.safeParse({ content: 'a\u0000b' })

    expect(error?.issues.map(({ message }) => message)).toEqual(['Null characters are not allowed'])
  })

  test.each([
    ['createWatchlist', { name: ' ' }, 'Watchlist name is required'],
    ['addCard', { ...CARD, title: '' }, 'Movie title is required'],
    ['addCard', { ...CARD, image: '' }, 'An image is required'],
    ['addComment', { content: '\n' }, 'A comment is required'],
    ['inviteUser', { username: '' }, 'A username is required'],
    ['inviteByMail', { email: '' }, 'An e-mail address is required'],
    ['inviteByMail', { email: 'ben' }, 'This is not an e-mail address'],
    ['acceptInvitation', { token: '' }, 'A token is required'],
    ['validateImageUrl', { url: '' }, 'A URL is required'],
    ['uploadAvatar', { imageData: '' }, 'An image is required'],
    ['renamePasskey', { name: '' }, 'A name is required'],
    ['readCatalogueLink', { url: '' }, 'A link is required'],
  ] as const)('a call of %s with %j is refused with %j', (name, body, message) => {
    const { error } = ENDPOINTS[name].body.safeParse(body)

    expect(error?.issues.map((issue) => issue.message)).toEqual([message])
  })

  test.each([['  '], [''], [null], [undefined]])('the description %j becomes null', (description) => {
    expect(ENDPOINTS.addCard.body.parse({ ...CARD, description }).description).toBeNull()
  })
})

describe('numbers and lists', () => {
  test.each([
    [{}, 10],
    [{ limit: '1' }, 1],
    [{ limit: '50' }, 50],
  ])('the query %j gives the page size %i', (query, limit) => {
    expect(ENDPOINTS.listCards.query.parse(query).limit).toBe(limit)
  })

  // Evidence: asvs-1.4.2
  test.each([['0'], ['51'], ['-1'], ['2.5'], ['many']])('the page size %s is refused', (limit) => {
    expect(ENDPOINTS.listCards.query.safeParse({ limit }).success).toBe(false)
  })

  test.each([
    [{ year: 1870 }, true],
    [{ year: 1869 }, false],
    [{ year: 2200 }, true],
    [{ year: 2201 }, false],
    [{ runtimeMinutes: 1 }, true],
    [{ runtimeMinutes: 0 }, false],
    [{ runtimeMinutes: 60_000 }, true],
    [{ runtimeMinutes: 60_001 }, false],
  ])('a movie with %j is accepted: %s', (movie, isAccepted) => {
    expect(Movie.safeParse(movie).success).toBe(isAccepted)
  })

  test.each([
    ['genres', 10],
    ['directors', 20],
  ])('a movie with more %s than the limit of %i is refused', (field, most) => {
    const list = (length: number) => ({ [field]: Array.from({ length }, (_, index) => `Name ${index}`) })

    expect(Movie.safeParse(list(most)).success).toBe(true)
    expect(Movie.safeParse(list(most + 1)).success).toBe(false)
  })
})
