import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import type { NewPersonalToken } from '@marquee/contract/entities/personal-token'
import { PERSONAL_TOKENS } from '@marquee/contract/rules/personal-token'
import { noRateLimiter, type RateLimiter } from '@marquee/platform/limits/rate-limiter'
import { createLogger } from '@marquee/platform/runtime/logger'
import { eachStatement } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { call, type Caller, callOk } from '../../../testing/call.ts'
import { aUser, aWatchlist } from '../../../testing/make.ts'
import { type OpenStream, openStream } from '../../../testing/open-stream.ts'
import { anApp, startApp } from '../../../testing/start-app.ts'
import { ageSignIn, register, testAccounts } from '../../../testing/test-accounts.ts'
import { forgetTokens } from './service.ts'
import type { PersonalTokenTables } from './store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const READ_ONLY = { type: 'UNAUTHORIZED', message: 'This personal token can only read' }
const NO_TOKENS = { type: 'UNAUTHORIZED', message: 'A personal token cannot do this' }

/** What a personal token needs for each call. `sign-in`: a token is refused. `open`: no caller is identified. */
const NEEDS: Record<EndpointName, 'read' | 'write' | 'sign-in' | 'open'> = {
  listWatchlists: 'read',
  createWatchlist: 'write',
  restoreWatchlist: 'write',
  getCurrentWatchlist: 'read',
  setCurrentWatchlist: 'write',
  getWatchlist: 'read',
  updateWatchlist: 'write',
  deleteWatchlist: 'write',
  uploadWatchlistImage: 'write',
  deleteWatchlistImage: 'write',
  exportWatchlist: 'read',
  getStatistics: 'read',
  setWatchlistPrivacy: 'write',
  handOverWatchlist: 'write',
  removeMember: 'write',
  listCards: 'read',
  listLibrary: 'read',
  listSuggestions: 'read',
  countSuggestedCards: 'read',
  matchMovie: 'read',
  wantMovie: 'write',
  listWants: 'read',
  unwantMovie: 'write',
  addCard: 'write',
  revealRandomCard: 'write',
  prepareDraw: 'write',
  closeSeedHashes: 'write',
  revealDraw: 'write',
  listDraws: 'read',
  getDraw: 'read',
  getDrawOdds: 'read',
  setDrawRule: 'write',
  getCard: 'read',
  editCard: 'write',
  deleteCard: 'write',
  moveCard: 'write',
  undoMove: 'write',
  beginImport: 'write',
  listImports: 'read',
  getImport: 'read',
  chooseImportRows: 'write',
  applyImport: 'write',
  cancelImport: 'write',
  undoImport: 'write',
  setCountry: 'write',
  listAvailability: 'read',
  listNightAvailability: 'read',
  listServices: 'read',
  listMediaServers: 'read',
  connectMediaServer: 'write',
  changeMediaServer: 'write',
  deleteMediaServer: 'write',
  readMediaServer: 'write',
  listMediaLinks: 'read',
  beginQuickConnect: 'write',
  finishQuickConnect: 'write',
  linkWithPassword: 'write',
  listMediaAccounts: 'read',
  claimMediaAccount: 'write',
  answerMediaClaim: 'write',
  unlinkMediaUser: 'write',
  makeMediaHook: 'write',
  getRequestServer: 'read',
  connectRequestServer: 'write',
  changeRequestServer: 'write',
  deleteRequestServer: 'write',
  askForMovie: 'write',
  listPlayers: 'read',
  playWinner: 'write',
  listViewings: 'read',
  saveViewing: 'write',
  deleteViewing: 'write',
  listNights: 'read',
  listNightFilms: 'read',
  planNight: 'write',
  findCalendar: 'read',
  makeCalendar: 'write',
  endCalendar: 'write',
  readCalendar: 'open',
  openNight: 'write',
  getNight: 'read',
  changeNight: 'write',
  fixNightTime: 'write',
  answerNight: 'write',
  cancelNight: 'write',
  startNight: 'write',
  endNight: 'write',
  arriveAtNight: 'write',
  leaveNight: 'write',
  addSeedHash: 'write',
  findSeedHashes: 'read',
  addSeed: 'write',
  findVote: 'read',
  openVote: 'write',
  castBallot: 'write',
  vetoCard: 'write',
  makeNightCode: 'write',
  renewNightCode: 'write',
  setGuestLimit: 'write',
  joinNight: 'open',
  addGuest: 'write',
  removeGuest: 'write',
  getNightAsGuest: 'read',
  claimNight: 'write',
  nightEvents: 'read',
  requestScreen: 'open',
  findScreenPass: 'open',
  getNightScreen: 'read',
  listScreens: 'read',
  pairScreen: 'write',
  endScreen: 'write',
  closeVote: 'write',
  getVetoBudget: 'read',
  setVetoBudget: 'write',
  listComments: 'read',
  addComment: 'write',
  editComment: 'write',
  deleteComment: 'write',
  inviteUser: 'write',
  listPendingInvitations: 'read',
  withdrawInvitation: 'write',
  inviteByMail: 'write',
  withdrawMailInvitation: 'write',
  listReceivedInvitations: 'read',
  acceptInvitation: 'write',
  acceptReceivedInvitation: 'write',
  declineInvitation: 'write',
  createJoinLink: 'write',
  listJoinLinks: 'read',
  revokeJoinLink: 'write',
  setLinkCreators: 'write',
  previewJoinLink: 'open',
  checkSetup: 'open',
  sendTestMail: 'open',
  createFirstAccount: 'open',
  joinByLink: 'write',
  listNotifications: 'read',
  countUnread: 'read',
  readNotification: 'write',
  readNotifications: 'write',
  seeNotifications: 'write',
  getPushKey: 'sign-in',
  listPushDevices: 'sign-in',
  savePushDevice: 'sign-in',
  renewPushDevice: 'open',
  removePushDevice: 'sign-in',
  getNotificationSettings: 'read',
  changeNotificationSettings: 'write',
  listWebhooks: 'read',
  createWebhook: 'write',
  switchWebhook: 'write',
  deleteWebhook: 'write',
  testWebhook: 'write',
  listWebhookDeliveries: 'read',
  chooseLanguage: 'write',
  chooseServices: 'write',
  getOwnProfile: 'read',
  getMailSettings: 'read',
  setMailSettings: 'write',
  getProfile: 'read',
  getAvatarUrl: 'read',
  uploadAvatar: 'write',
  deleteAvatar: 'write',
  countRecoveryCodes: 'sign-in',
  makeRecoveryCodes: 'sign-in',
  listPasskeys: 'sign-in',
  renamePasskey: 'sign-in',
  listSessions: 'sign-in',
  endSession: 'sign-in',
  listSecurityEvents: 'sign-in',
  exportData: 'sign-in',
  listPersonalTokens: 'sign-in',
  createPersonalToken: 'sign-in',
  revokePersonalToken: 'sign-in',
  searchCatalogue: 'read',
  readCatalogueMovie: 'read',
  readCatalogueLink: 'write',
  validateImageUrl: 'open',
  watchlistEvents: 'read',
  ownEvents: 'read',
}

eachStatement<PersonalTokenTables>({ product: productMigrations }, (theDatabase) => {
  let time = Date.parse('2026-11-20T18:00:00.000Z')
  const clock = {
    now: () => new Date(time),
    moveAhead: (milliseconds: number) => {
      time += milliseconds
    },
  }
  const theApp = anApp(() => theDatabase().withTables(), { clock })
  const streams: OpenStream[] = []
  let ana: Caller
  beforeEach(() => {
    ana = aUser('ana')
  })
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.leave()
  })

  const create = async (body: object = {}, by = ana): Promise<NewPersonalToken> =>
    await callOk(theApp(), ENDPOINTS.createPersonalToken, by, {
      body: { name: 'Backup', scope: 'read', days: 30, ...body },
    })
  const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
  const use = async (token: string) => (await call(theApp(), ENDPOINTS.getOwnProfile, undefined, as(token))).status
  const list = async (by = ana) => (await callOk(theApp(), ENDPOINTS.listPersonalTokens, by)).tokens
  const revoke = async (tokenId: string, by = ana) =>
    await call(theApp(), ENDPOINTS.revokePersonalToken, by, { params: { tokenId } })

  test('a token acts as its owner, and the list of tokens does not show the secret', async () => {
    const { token, ...shown } = await create()

    const { body } = await call(theApp(), ENDPOINTS.getOwnProfile, undefined, as(token))

    expect(body.username).toBe('ana')
    expect(shown).toMatchObject({ name: 'Backup', scope: 'read', usedAt: null })
    expect(await list()).toEqual([{ ...shown, usedAt: clock.now().toISOString() }])
    expect(await list(aUser('ben'))).toEqual([])
  })

  test('secret scanners recognize a token, and a mistyped token gets 401', async () => {
    const { token } = await create()
    const mistyped = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`

    expect(`{"key": "${token}"}`.match(PERSONAL_TOKENS)).toEqual([token])
    expect([await use(token), await use(mistyped), await use('mqp_'), await use(`${token}0`)]).toEqual([
      200, 401, 401, 401,
    ])
  })

  test('only the hash of a token is stored', async () => {
    const { token } = await create()

    const rows = [
      await theDatabase().read.selectFrom('personal_token').selectAll().execute(),
      await theDatabase().read.selectFrom('personal_token_key').selectAll().execute(),
    ]

    expect(JSON.stringify(rows)).not.toContain(token.slice(4, 34))
  })

  // The own stream does not end. Other streams are refused, because the call has no parameters.
  const answered = (Object.keys(NEEDS) as EndpointName[]).filter((name) => name !== 'ownEvents')
  // Evidence: asvs-10.3.2, asvs-8.2.1
  test.each(answered)('%s refuses tokens that lack its scope', async (name) => {
    const [read, write] = [await create({ scope: 'read' }), await create({ scope: 'write' })]
    const refusals = []
    for (const { token } of [read, write]) {
      const { status, body } = await call(theApp(), ENDPOINTS[name], undefined, as(token))
      expect(status).not.toBe(401)
      refusals.push(status === 403 ? body : 'accepted')
    }

    // Accepted calls fail later, because these have no parameters.
    expect(refusals).toEqual(
      {
        read: ['accepted', 'accepted'],
        write: [READ_ONLY, 'accepted'],
        'sign-in': [NO_TOKENS, NO_TOKENS],
        open: ['accepted', 'accepted'],
      }[NEEDS[name]],
    )
  })

  test('a read-only token changes nothing: it is accepted by GET calls only', async () => {
    const { token } = await create()
    const accepting = (Object.keys(NEEDS) as EndpointName[]).filter((name) => NEEDS[name] === 'read')
    expect(accepting.filter((name) => ENDPOINTS[name].method !== 'GET')).toEqual([])

    const answer = await call(theApp(), ENDPOINTS.createWatchlist, undefined, { ...as(token), body: { name: 'Films' } })

    expect(answer.body).toEqual(READ_ONLY)
    expect(await callOk(theApp(), ENDPOINTS.listWatchlists, ana)).toEqual([])
  })

  test('a read-only token sees no codes, links or tokens that let other people in', async () => {
    const [eve, read, write] = [aUser('eve'), await create(), await create({ scope: 'write' })]
    const { watchlist } = await aWatchlist(theApp(), { owner: ana, isPrivate: true })
    const params = { watchlistId: watchlist.id }
    const { id: nightId } = await callOk(theApp(), ENDPOINTS.openNight, ana, { params })
    const { joinCode } = await callOk(theApp(), ENDPOINTS.makeNightCode, ana, { params: { nightId } })
    const { url } = await callOk(theApp(), ENDPOINTS.makeCalendar, ana, { params })
    const days = { days: 7, maxUses: 10 }
    const link = await callOk(theApp(), ENDPOINTS.createJoinLink, ana, { params, body: days })
    register({ ...eve, email: undefined })
    const invited = { params, body: { username: eve.username } }
    const invitation = await callOk(theApp(), ENDPOINTS.inviteUser, ana, invited)
    const guest = { params: { nightId }, body: { nickname: 'Lea' } }
    const pass = await callOk(theApp(), ENDPOINTS.addGuest, ana, guest)
    const secrets = [joinCode ?? '', url.split('/').at(-1) ?? '', link.token, invitation.token, pass.token]

    const seenWith = async (token: string) => {
      const seen = new Set<string>()
      for (const name of Object.keys(NEEDS) as EndpointName[]) {
        if (NEEDS[name] !== 'read' || 'events' in ENDPOINTS[name]) continue
        const reply = await call(theApp(), ENDPOINTS[name], undefined, { params: { ...params, nightId }, ...as(token) })
        for (const secret of secrets) if (JSON.stringify(reply).includes(secret)) seen.add(`${secret} in ${name}`)
      }
      return [...seen]
    }

    expect(await seenWith(read.token)).toEqual([])
    expect((await seenWith(write.token)).toSorted()).toEqual(
      [
        ...['listNights', 'getNight', 'getNightScreen'].map((name) => `${joinCode} in ${name}`),
        `${link.token} in listJoinLinks`,
      ].toSorted(),
    )
  })

  describe('a token ends', () => {
    test('a token stops working when it is revoked, even in another process', async () => {
      const other = await startApp(theDatabase().withTables(), { clock })
      const { id, token } = await create()
      const useThere = async () => (await call(other, ENDPOINTS.getOwnProfile, undefined, as(token))).status
      expect(await useThere()).toBe(200)

      const answer = await revoke(id)

      expect(answer.status).toBe(204)
      expect([await use(token), await useThere()]).toEqual([401, 401])
      expect(await list()).toEqual([])
      await other.stop()
    })

    test('a token stops working when it expires, and is listed for another 30 days', async () => {
      const { token } = await create({ days: 7 })
      clock.moveAhead(7 * DAY_MS - MINUTE_MS)
      const before = await use(token)
      clock.moveAhead(MINUTE_MS)

      expect([before, await use(token)]).toEqual([200, 401])
      expect(await list()).toHaveLength(1)
      clock.moveAhead(30 * DAY_MS + MINUTE_MS)
      await create({ name: 'Next' })
      expect((await list()).map(({ name }) => name)).toEqual(['Next'])
    })

    test('a token ends when all sign-ins of its owner end', async () => {
      const ben = aUser('ben')
      const [own, other] = [await create(), await create({}, ben)]

      await theDatabase().transaction(async (trx) => {
        await forgetTokens(trx, ana.userId)
      })

      expect([await use(own.token), await use(other.token)]).toEqual([401, 200])
      const keys = theDatabase().read.selectFrom('personal_token_key').select('token_id')
      expect(await keys.where('user_id', '=', ana.userId).execute()).toEqual([])
    })

    test('a token ends when its owner’s account is deleted or disabled', async () => {
      const gone = new Set<string>()
      const isActive = async ({ userId }: { userId: string }) => !gone.has(userId)
      const elsewhere = await startApp(theDatabase().withTables(), { accounts: { ...testAccounts, isActive }, clock })
      const { token } = await create()
      const use = async () => (await call(elsewhere, ENDPOINTS.getOwnProfile, undefined, as(token))).status

      const before = await use()
      gone.add(ana.userId)

      expect([before, await use()]).toEqual([200, 401])
      await elsewhere.stop()
    })
  })

  test('a token without an expiry is valid after ten years', async () => {
    const { token, expiresAt } = await create({ days: null })
    clock.moveAhead(3650 * DAY_MS)

    expect(expiresAt).toBeNull()
    expect(await use(token)).toBe(200)
  })

  test('the live streams of a token end within seconds after the token is revoked', { tags: ['race'] }, async () => {
    const origin = await theApp().app.listen({ host: '127.0.0.1', port: 0 })
    const { watchlist } = await aWatchlist(theApp(), { owner: ana })
    const { id, token } = await create()
    for (const path of [`watchlists/${watchlist.id}/events`, 'notifications/events'])
      streams.push(await openStream(`${origin}/api/${path}`, token))

    await revoke(id)
    await Promise.all(streams.map(async ({ ended }) => await ended))

    expect(streams.map(({ status }) => status)).toEqual([200, 200])
  })

  test('the last use of a token is recorded at most once a minute', async () => {
    const { token } = await create()
    const seen = []
    const begin = clock.now()
    for (const wait of [0, 59_000, 2_000]) {
      clock.moveAhead(wait)
      await use(token)
      seen.push((await list())[0]?.usedAt)
    }

    const at = (seconds: number) => new Date(begin.getTime() + seconds * 1000).toISOString()
    expect(seen).toEqual([at(0), at(0), at(61)])
  })

  // Evidence: asvs-2.3.2
  test('a user has at most 50 tokens, even when several are created at once', { tags: ['race'] }, async () => {
    for (let n = 0; n < 48; n += 1) await create()
    const body = { name: 'One more', scope: 'read', days: 7 }

    const answers = await Promise.all(
      [1, 2, 3, 4].map(async () => await call(theApp(), ENDPOINTS.createPersonalToken, ana, { body })),
    )

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 400, 400])
    expect(answers.find(({ status }) => status === 400)?.body.message).toBe(
      'You cannot have more than 50 personal tokens. Revoke one that you no longer use.',
    )
  })

  test.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ scope: 'admin' }, 'scope'],
    [{ days: 8 }, 'days'],
    [{ days: undefined }, 'days'],
  ])('creating a token with %j is refused', async (wrong, field) => {
    const body = { name: 'Backup', scope: 'read', days: 7, ...wrong }

    const { status, body: problem } = await call(theApp(), ENDPOINTS.createPersonalToken, ana, { body })

    expect({ status, field: problem.message.split(':')[0] }).toEqual({ status: 400, field })
  })

  test('a new token needs a recent sign-in; a revocation does not', async () => {
    const { id } = await create()
    ageSignIn(ana)

    const body = { name: 'Backup', scope: 'read', days: 7 }
    const { status, body: problem } = await call(theApp(), ENDPOINTS.createPersonalToken, ana, { body })

    expect({ status, message: problem.message }).toEqual({ status: 403, message: 'Please sign in again to do this' })
    expect((await revoke(id)).status).toBe(204)
  })

  test('the sign-in token proves a recent sign-in if an external user pool has the accounts', async () => {
    const authTime = () => Math.floor(clock.now().getTime() / 1000)
    let age = 0
    const accounts = {
      ...testAccounts,
      account: undefined,
      verifyIdToken: async () => ({ ...ana, expiresAt: Infinity, authTime: authTime() - age }),
    }
    const elsewhere = await startApp(theDatabase().withTables(), { accounts, clock })
    const tryIt = async () => {
      const body = { name: 'Backup', scope: 'read', days: 7 }
      return (await call(elsewhere, ENDPOINTS.createPersonalToken, ana, { body })).status
    }

    const fresh = await tryIt()
    age = 15 * 60 + 1

    expect([fresh, await tryIt()]).toEqual([201, 403])
    await elsewhere.stop()
  })

  test('a user gets 404 for the token of another user', async () => {
    const { id, token } = await create()

    expect((await revoke(id, aUser('ben'))).body).toEqual({ type: 'NOT_FOUND', message: 'You have no such token' })
    expect(await use(token)).toBe(200)
  })

  test('calls with a token and calls with a sign-in share the limit of the user', async () => {
    const counted: string[] = []
    const limiter: RateLimiter = {
      ...noRateLimiter,
      take: async (name, key) => {
        counted.push(`${name} of ${key}`)
        return undefined
      },
    }
    const limited = await startApp(theDatabase().withTables(), { limiter, clock })
    const { token } = await create({ scope: 'write' })

    await call(limited, ENDPOINTS.createWatchlist, ana, { body: { name: 'Films' } })
    await call(limited, ENDPOINTS.createWatchlist, undefined, { ...as(token), body: { name: 'Films' } })

    expect(counted).toEqual([`write of user ${ana.userId}`, `write of user ${ana.userId}`])
    await limited.stop()
  })

  test('the data export of a user has their tokens without secrets', async () => {
    const { token, ...shown } = await create()

    const exported = await callOk(theApp(), ENDPOINTS.exportData, ana)

    expect(exported.personalTokens).toEqual([shown])
    expect(JSON.stringify(exported)).not.toContain(token)
  })

  // Evidence: asvs-16.2.5
  test('no log contains a token, wherever a client puts it', async () => {
    const lines: string[] = []
    const destination = { write: (line: string) => void lines.push(line) }
    const logger = createLogger('trace', { secret: PERSONAL_TOKENS, destination })
    const logging = await startApp(theDatabase().withTables(), { logger, clock })
    const { token } = await create()
    await call(logging, ENDPOINTS.getOwnProfile, undefined, as(token))
    await logging.app.inject({ url: `/api/watchlists/${token}?access_token=${token}`, headers: { cookie: token } })
    await logging.app.inject({ method: 'POST', url: '/api/watchlists', ...as(token), payload: `{"${token}` })
    logger.error({ err: new Error(`${token} is not a watchlist`) }, 'a request failed')
    await logging.stop()

    expect(lines.filter((line) => line.includes('a request was answered'))).toHaveLength(3)
    expect(lines.join('')).toContain('[Redacted] is not a watchlist')
    expect(lines.join('')).not.toContain(token)
  })
})
