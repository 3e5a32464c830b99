import { randomUUID } from 'node:crypto'

import { expect, test } from 'vitest'

import { ACCESS, isAllowed, type Role, type Verb } from '@marquee/contract/access'
import { ENDPOINTS } from '@marquee/contract/endpoints'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { saveLink } from './rooms/movies/media-links/store.ts'
import { insertServer } from './rooms/movies/media-servers/store.ts'
import { findRequestServer, insertRequestServer } from './rooms/movies/movie-requests/store.ts'
import { insertWebhook } from './rooms/news/webhooks/store.ts'
import { productMigrations } from './migrations/index.ts'
import { call, type Caller, type CallInput, callOk } from './testing/call.ts'
import { aUser, aWatchlist } from './testing/make.ts'
import { A_PLAN, aScene, BODIES, CALLERS, type CallName, isCall, QUERIES, type Who } from './testing/scene.ts'
import { A_MEDIA_SERVER, A_REQUEST_SERVER, NO_MEDIA_SERVERS } from './testing/media-servers.ts'
import { anObservedApp } from './testing/observed-app.ts'

/** The status that each call answers to each caller when the rest of the call is valid, in the order of CALLERS. */
const STATUSES: Record<CallName, readonly number[]> = {
  listWatchlists: [401, 200, 200, 200, 200, 200, 200],
  createWatchlist: [401, 201, 201, 201, 201, 201, 201],
  restoreWatchlist: [401, 201, 201, 201, 201, 201, 201],
  getCurrentWatchlist: [401, 200, 200, 200, 200, 200, 200],
  setCurrentWatchlist: [401, 403, 404, 200, 200, 200, 403],
  getWatchlist: [401, 200, 404, 200, 200, 200, 200],
  updateWatchlist: [401, 403, 404, 200, 200, 200, 403],
  deleteWatchlist: [401, 403, 404, 403, 403, 204, 403],
  uploadWatchlistImage: [401, 403, 404, 200, 200, 200, 403],
  deleteWatchlistImage: [401, 403, 404, 204, 204, 204, 403],
  exportWatchlist: [401, 403, 404, 200, 200, 200, 403],
  setCountry: [401, 403, 404, 200, 200, 200, 403],
  listAvailability: [401, 403, 404, 200, 200, 200, 403],
  listMediaServers: [401, 403, 404, 200, 200, 200, 403],
  // No server may be at the address, so an owner hears that.
  connectMediaServer: [401, 403, 404, 403, 403, 400, 403],
  changeMediaServer: [401, 403, 404, 403, 403, 200, 403],
  deleteMediaServer: [401, 403, 404, 403, 403, 204, 403],
  readMediaServer: [401, 403, 404, 200, 200, 200, 403],
  // It cannot be asked, and is of the kind that links by a code.
  listMediaLinks: [401, 403, 404, 200, 200, 200, 403],
  beginQuickConnect: [401, 403, 404, 400, 400, 400, 403],
  finishQuickConnect: [401, 403, 404, 400, 400, 400, 403],
  linkWithPassword: [401, 403, 404, 400, 400, 400, 403],
  listMediaAccounts: [401, 403, 404, 400, 400, 400, 403],
  claimMediaAccount: [401, 403, 404, 400, 400, 400, 403],
  answerMediaClaim: [401, 403, 404, 403, 204, 403, 403],
  unlinkMediaUser: [401, 403, 404, 204, 204, 204, 403],
  makeMediaHook: [401, 403, 404, 403, 403, 201, 403],
  getRequestServer: [401, 403, 404, 200, 200, 200, 403],
  connectRequestServer: [401, 403, 404, 403, 403, 400, 403],
  changeRequestServer: [401, 403, 404, 403, 403, 200, 403],
  deleteRequestServer: [401, 403, 404, 403, 403, 204, 403],
  // The movie of the scene has no id, so members hear that.
  askForMovie: [401, 403, 404, 400, 400, 400, 403],
  getStatistics: [401, 403, 404, 200, 200, 200, 403],
  setWatchlistPrivacy: [401, 403, 404, 403, 403, 200, 403],
  handOverWatchlist: [401, 403, 404, 403, 403, 200, 403],
  removeMember: [401, 403, 404, 204, 403, 204, 403],

  listCards: [401, 200, 404, 200, 200, 200, 200],
  listLibrary: [401, 200, 404, 200, 200, 200, 200],
  listSuggestions: [401, 403, 404, 200, 200, 200, 403],
  countSuggestedCards: [401, 403, 404, 200, 200, 200, 403],
  matchMovie: [401, 403, 404, 200, 200, 200, 403],
  wantMovie: [401, 403, 404, 204, 204, 204, 403],
  listWants: [401, 403, 404, 200, 200, 200, 403],
  unwantMovie: [401, 403, 404, 204, 204, 204, 403],
  addCard: [401, 403, 404, 201, 201, 201, 403],
  revealRandomCard: [401, 403, 404, 200, 200, 200, 403],
  prepareDraw: [401, 403, 404, 201, 201, 201, 403],
  closeSeedHashes: [401, 403, 404, 200, 200, 200, 403],
  revealDraw: [401, 403, 404, 200, 200, 200, 403],
  listDraws: [401, 403, 404, 200, 200, 200, 403],
  getDraw: [401, 403, 404, 200, 200, 200, 403],
  getDrawOdds: [401, 403, 404, 200, 200, 200, 403],
  setDrawRule: [401, 403, 404, 403, 403, 200, 403],
  getCard: [401, 200, 404, 200, 200, 200, 200],
  editCard: [401, 403, 404, 403, 200, 200, 403],
  deleteCard: [401, 403, 404, 403, 204, 204, 403],
  moveCard: [401, 403, 404, 200, 200, 200, 403],
  // The card was only revealed, so a member has nothing to undo.
  undoMove: [401, 403, 404, 400, 400, 400, 403],

  beginImport: [401, 403, 404, 201, 201, 201, 403],
  listImports: [401, 403, 404, 200, 200, 200, 403],
  getImport: [401, 403, 404, 200, 200, 200, 403],
  chooseImportRows: [401, 403, 404, 200, 200, 200, 403],
  applyImport: [401, 403, 404, 200, 200, 200, 403],
  cancelImport: [401, 403, 404, 200, 200, 200, 403],
  // Nothing was added yet.
  undoImport: [401, 403, 404, 400, 400, 400, 403],

  listViewings: [401, 403, 404, 200, 200, 200, 403],
  saveViewing: [401, 403, 404, 200, 200, 200, 403],
  deleteViewing: [401, 403, 404, 204, 204, 204, 403],
  listNights: [401, 403, 404, 200, 200, 200, 403],
  planNight: [401, 403, 404, 201, 201, 201, 403],
  findCalendar: [401, 403, 404, 200, 200, 200, 403],
  makeCalendar: [401, 403, 404, 200, 200, 200, 403],
  endCalendar: [401, 403, 404, 204, 204, 204, 403],
  // The token is not one.
  readCalendar: [404, 404, 404, 404, 404, 404, 404],
  openNight: [401, 403, 404, 200, 200, 200, 403],
  getNight: [401, 403, 404, 200, 200, 200, 403],
  listNightFilms: [401, 403, 404, 200, 200, 200, 403],
  changeNight: [401, 403, 404, 200, 200, 200, 403],
  fixNightTime: [401, 403, 404, 200, 200, 200, 403],
  answerNight: [401, 403, 404, 200, 200, 200, 403],
  cancelNight: [401, 403, 404, 200, 200, 200, 403],
  startNight: [401, 403, 404, 200, 200, 200, 403],
  endNight: [401, 403, 404, 200, 200, 200, 403],
  arriveAtNight: [401, 403, 404, 200, 200, 200, 403],
  leaveNight: [401, 403, 404, 200, 200, 200, 403],
  findVote: [401, 403, 404, 200, 200, 200, 403],
  // The night has not started.
  openVote: [401, 403, 404, 400, 400, 400, 403],
  castBallot: [401, 403, 404, 400, 400, 400, 403],
  closeVote: [401, 403, 404, 400, 400, 400, 403],
  vetoCard: [401, 403, 404, 400, 400, 400, 403],
  addSeedHash: [401, 403, 404, 400, 400, 400, 403],
  findSeedHashes: [401, 403, 404, 200, 200, 200, 403],
  addSeed: [401, 403, 404, 400, 400, 400, 403],
  getVetoBudget: [401, 403, 404, 200, 200, 200, 403],
  setVetoBudget: [401, 403, 404, 403, 403, 204, 403],
  makeNightCode: [401, 403, 404, 200, 200, 200, 403],
  renewNightCode: [401, 403, 404, 200, 200, 200, 403],
  setGuestLimit: [401, 403, 404, 200, 200, 200, 403],
  addGuest: [401, 403, 404, 201, 201, 201, 403],
  getNightAsGuest: [401, 403, 404, 200, 200, 200, 403],
  // No caller is at the night.
  listPlayers: [401, 403, 404, 400, 400, 400, 403],
  playWinner: [401, 403, 404, 400, 400, 400, 403],
  listNightAvailability: [401, 403, 404, 200, 200, 200, 403],
  getNightScreen: [401, 403, 404, 200, 200, 200, 403],
  listScreens: [401, 403, 404, 200, 200, 200, 403],
  requestScreen: [201, 201, 201, 201, 201, 201, 201],
  // There is no such screen, code or token.
  endScreen: [401, 403, 404, 204, 204, 204, 403],
  pairScreen: [401, 403, 404, 400, 400, 400, 403],
  findScreenPass: [404, 404, 404, 404, 404, 404, 404],
  removeGuest: [401, 403, 404, 204, 204, 204, 403],
  joinNight: [404, 404, 404, 404, 404, 404, 404],
  claimNight: [401, 404, 404, 404, 404, 404, 404],

  listComments: [401, 200, 404, 200, 200, 200, 200],
  addComment: [401, 403, 404, 201, 201, 201, 403],
  editComment: [401, 403, 404, 403, 200, 403, 403],
  deleteComment: [401, 403, 404, 403, 204, 403, 403],

  inviteUser: [401, 403, 404, 201, 201, 201, 403],
  listPendingInvitations: [401, 403, 404, 200, 200, 200, 403],
  withdrawInvitation: [401, 403, 404, 204, 204, 204, 403],
  inviteByMail: [401, 403, 404, 201, 201, 201, 403],
  withdrawMailInvitation: [401, 403, 404, 204, 204, 204, 403],
  listReceivedInvitations: [401, 200, 200, 200, 200, 200, 200],
  acceptInvitation: [401, 403, 403, 403, 403, 403, 200],
  acceptReceivedInvitation: [401, 404, 404, 404, 404, 404, 200],
  declineInvitation: [401, 404, 404, 404, 404, 404, 204],

  createJoinLink: [401, 403, 404, 201, 201, 201, 403],
  listJoinLinks: [401, 403, 404, 200, 200, 200, 403],
  revokeJoinLink: [401, 403, 404, 403, 204, 204, 403],
  setLinkCreators: [401, 403, 404, 403, 403, 200, 403],
  listWebhooks: [401, 403, 404, 403, 403, 200, 403],
  // The address is internal.
  createWebhook: [401, 403, 404, 403, 403, 400, 403],
  switchWebhook: [401, 403, 404, 403, 403, 200, 403],
  deleteWebhook: [401, 403, 404, 403, 403, 204, 403],
  // It is switched off.
  testWebhook: [401, 403, 404, 403, 403, 400, 403],
  listWebhookDeliveries: [401, 403, 404, 403, 403, 200, 403],
  // The link is the permission, also for a private watchlist.
  previewJoinLink: [200, 200, 200, 200, 200, 200, 200],
  joinByLink: [401, 200, 200, 200, 200, 200, 200],

  listNotifications: [401, 200, 200, 200, 200, 200, 200],
  countUnread: [401, 200, 200, 200, 200, 200, 200],
  readNotification: [401, 404, 404, 404, 404, 404, 404],
  readNotifications: [401, 200, 200, 200, 200, 200, 200],
  seeNotifications: [401, 200, 200, 200, 200, 200, 200],
  getPushKey: [401, 200, 200, 200, 200, 200, 200],
  listPushDevices: [401, 200, 200, 200, 200, 200, 200],
  // The address is internal.
  savePushDevice: [401, 400, 400, 400, 400, 400, 400],
  renewPushDevice: [404, 404, 404, 404, 404, 404, 404],
  removePushDevice: [401, 404, 404, 404, 404, 404, 404],
  getNotificationSettings: [401, 200, 200, 200, 200, 200, 200],
  // Only members mute a watchlist.
  changeNotificationSettings: [401, 404, 404, 200, 200, 200, 404],

  getOwnProfile: [401, 200, 200, 200, 200, 200, 200],
  getProfile: [401, 200, 200, 200, 200, 200, 200],
  getAvatarUrl: [401, 200, 200, 200, 200, 200, 200],
  getMailSettings: [401, 200, 200, 200, 200, 200, 200],
  setMailSettings: [401, 200, 200, 200, 200, 200, 200],
  uploadAvatar: [401, 200, 200, 200, 200, 200, 200],
  chooseLanguage: [401, 200, 200, 200, 200, 200, 200],
  chooseServices: [401, 200, 200, 200, 200, 200, 200],
  deleteAvatar: [401, 204, 204, 204, 204, 204, 204],
  countRecoveryCodes: [401, 200, 200, 200, 200, 200, 200],
  makeRecoveryCodes: [401, 200, 200, 200, 200, 200, 200],
  listPasskeys: [401, 200, 200, 200, 200, 200, 200],
  listSessions: [401, 200, 200, 200, 200, 200, 200],
  endSession: [401, 404, 404, 404, 404, 404, 404],
  listSecurityEvents: [401, 200, 200, 200, 200, 200, 200],
  exportData: [401, 200, 200, 200, 200, 200, 200],
  renamePasskey: [401, 404, 404, 404, 404, 404, 404],

  listPersonalTokens: [401, 200, 200, 200, 200, 200, 200],
  createPersonalToken: [401, 201, 201, 201, 201, 201, 201],
  revokePersonalToken: [401, 404, 404, 404, 404, 404, 404],

  // There is no country XX.
  listServices: [401, 400, 400, 400, 400, 400, 400],
  // The catalogue is switched off in this test.
  searchCatalogue: [401, 404, 404, 404, 404, 404, 404],
  readCatalogueMovie: [401, 404, 404, 404, 404, 404, 404],
  readCatalogueLink: [401, 404, 404, 404, 404, 404, 404],

  // The built-in pool alone has them, and only without an account.
  checkSetup: [404, 404, 404, 404, 404, 404, 404],
  sendTestMail: [404, 404, 404, 404, 404, 404, 404],
  createFirstAccount: [404, 404, 404, 404, 404, 404, 404],

  // A private address: the answer is the same as for an address without an image.
  validateImageUrl: [400, 400, 400, 400, 400, 400, 400],
}

/** One title in a plain list. */
const IMPORT = { fileName: 'films.txt', fileData: 'U3RhbGtlcg==' }

/** The calls of a night that has started. */
const STARTED: readonly CallName[] = [
  'endNight',
  'arriveAtNight',
  'leaveNight',
  'makeNightCode',
  'renewNightCode',
  'setGuestLimit',
  'addGuest',
  'removeGuest',
  'endScreen',
  'getNightAsGuest',
]

/** The night that a call needs. Only one night of a watchlist can be open. */
function nightOf(name: CallName): string {
  if (!ENDPOINTS[name].path.includes(':nightId')) return 'none'
  if (name === 'endScreen' || name === 'removeGuest') return name
  return STARTED.includes(name) ? 'started' : 'planned'
}

function changesScene(name: CallName): boolean {
  const { method, path } = ENDPOINTS[name]
  return method !== 'GET' && (path.includes(':') || name === 'joinByLink' || name === 'acceptInvitation')
}

const names = Object.keys(STATUSES) as CallName[]
const rows = names.flatMap((name) =>
  CALLERS.map((who, column): [CallName, Who, number] => [name, who, STATUSES[name][column] ?? 0]),
)

const ROLES: Record<Who, readonly Role[]> = {
  guest: [],
  stranger: ['reader'],
  strangerToPrivate: [],
  member: ['reader', 'member'],
  author: ['reader', 'member', 'author'],
  owner: ['reader', 'member', 'owner'],
  invitee: ['reader'],
}

test('the expected status of each call and caller agrees with ACCESS', () => {
  const roles = (who: Who, name: CallName) => {
    // The membership that `removeMember` ends is the one of the member.
    const author = name === 'removeMember' ? who === 'member' : ROLES[who].includes('author')
    const has = (role: Role) => ROLES[who].includes(role)
    return { reader: has('reader'), member: has('member'), author, owner: has('owner') }
  }
  const disagreements = (Object.keys(ACCESS) as Verb[]).flatMap((verb) =>
    ACCESS[verb].calls.flatMap((name) =>
      !isCall(name)
        ? []
        : CALLERS.filter((who, column) => {
            const isRefused = [401, 403, 404].includes(STATUSES[name][column] ?? 0)
            return isAllowed(verb, roles(who, name)) === isRefused
          }).map((who) => `${verb}: ${name} as ${who}`),
    ),
  )

  expect(disagreements).toEqual([])
})

test('all calls about a watchlist or a night have a verb, except the answers to an invitation', () => {
  const withVerb = Object.values(ACCESS).flatMap(({ calls }): string[] => [...calls])
  const without = Object.entries(ENDPOINTS)
    .filter(([name, { path }]) => /:(?:watchlistId|nightId)/u.test(path) && !withVerb.includes(name))
    .map(([name]) => name)

  // An invitee is not a member yet: their invitation is the permission.
  expect(without).toEqual(['acceptReceivedInvitation', 'declineInvitation'])
})

anyDatabase({ product: productMigrations }, (theDatabase) => {
  // The scenes have no country, so this address is not called.
  const { theApp, changesDuring } = anObservedApp(theDatabase, {
    watchProviders: { token: 'token', url: 'http://127.0.0.1:9/3' },
    mediaServers: NO_MEDIA_SERVERS,
  })

  /** All calls on a watchlist that does not exist are refused. */
  let nowhereScene: ReturnType<typeof aScene> | undefined
  const anImport = async (params: Record<string, string>, by: Caller) =>
    (await callOk(theApp(), ENDPOINTS.beginImport, by, { params, body: IMPORT })).id

  const aNight = async (params: Record<string, string>, by: Caller, name: CallName) => {
    const { id: nightId } = await callOk(theApp(), ENDPOINTS.planNight, by, { params, body: A_PLAN })
    const night = { params: { nightId } }
    if (STARTED.includes(name)) await callOk(theApp(), ENDPOINTS.startNight, by, night)
    if (name === 'endScreen') {
      const { code } = await callOk(theApp(), ENDPOINTS.requestScreen, by)
      const { screenId } = await callOk(theApp(), ENDPOINTS.pairScreen, by, { ...night, body: { code } })
      return { nightId, screenId }
    }
    if (name !== 'removeGuest') return { nightId }
    const { guest } = await callOk(theApp(), ENDPOINTS.addGuest, by, { ...night, body: { nickname: 'Lea' } })
    return { nightId, guestId: guest.guestId }
  }

  /** A scene, with the night of a call about one. */
  const aSceneFor = async (who: Who, name: CallName) => {
    const scene = await aScene(theApp(), who)
    const night = ENDPOINTS[name].path.includes(':nightId') && (await aNight(scene.params, scene.owner, name))
    return { ...scene, params: { ...scene.params, ...night } }
  }

  const shared = new Map<string, ReturnType<typeof aSceneFor>>()
  /** Calls that change nothing, or nothing of a watchlist of others. Those of one caller share a scene. */
  const sceneFor = async (who: Who, name: CallName, status: number) => {
    if (status < 400 && changesScene(name)) return await aSceneFor(who, name)
    const key = `${who} ${nightOf(name)}`
    const scene = shared.get(key) ?? aSceneFor(who, name)
    shared.set(key, scene)
    return await scene
  }

  const aMailInvitation = async (params: Record<string, string>, by: Caller) => {
    const body = { email: `dora@${params['watchlistId']}.example.org` }
    const { linkId = '' } = await callOk(theApp(), ENDPOINTS.inviteByMail, by, { params, body })
    return { linkId }
  }

  const aWebhook = async ({ watchlistId: watchlist_id = '' }: Record<string, string>) => {
    const row = { watchlist_id, id: randomUUID(), name: 'Chat', format: 'slack', host: 'chat.example.org' } as const
    const rest = { target: '', kinds: '[]', state: 'off', created_at: '2026-11-20T18:00:00.000Z' } as const
    await theDatabase().transaction(async (trx) => {
      await insertWebhook(trx, { ...row, ...rest, failures: 0, failing_since: null, retry_at: 0, creator_id: null })
    })
    return row.id
  }

  const aMediaServerRow = async ({ watchlistId: watchlist_id = '' }: Record<string, string>, by: Caller) => {
    const id = randomUUID()
    await theDatabase().transaction(async (trx) => {
      await insertServer(trx, { ...A_MEDIA_SERVER, watchlist_id, id, creator_id: by.userId })
    })
    return id
  }

  const aClaim = async ({ watchlistId = '', serverId = '' }: Record<string, string>, { userId, username }: Caller) => {
    const place = { watchlist_id: watchlistId, server_id: serverId, user_id: userId, username }
    const account = { state: 'waiting', remote_id: '7', remote_name: 'Ana', device: null, token: null } as const
    const rest = { is_sent: 0, linked_at: '2026-11-20T18:00:00.000Z', failures: 0, failing_since: null, retry_at: 0 }
    await theDatabase().transaction(async (trx) => await saveLink(trx, { ...place, ...account, ...rest }))
    return { username }
  }

  const aRequestServer = async ({ watchlistId: watchlist_id = '' }: Record<string, string>) => {
    await theDatabase().transaction(async (trx) => {
      if (await findRequestServer(trx, watchlist_id)) return
      await insertRequestServer(trx, { ...A_REQUEST_SERVER, watchlist_id })
    })
  }

  // Evidence: asvs-8.2.1, asvs-8.2.2, asvs-8.3.1
  test.each(rows)('%s as %s gets %i', async (name, who, status) => {
    const { caller, params, given, author, owner, invitee } = await sceneFor(who, name, status)
    const body = BODIES[name]?.(given)
    const ofInvitee =
      (name === 'withdrawInvitation' && { username: invitee.username }) ||
      (name === 'withdrawMailInvitation' && (await aMailInvitation(params, owner)))
    const ofImport = ENDPOINTS[name].path.includes(':importId') && {
      importId: await anImport(params, ROLES[who].includes('member') ? (caller ?? owner) : owner),
    }
    const ofDraw = ENDPOINTS[name].path.includes(':drawNumber') && {
      drawNumber: String((await callOk(theApp(), ENDPOINTS.prepareDraw, owner, { params, body: {} })).drawNumber),
    }
    const ofWebhook = ENDPOINTS[name].path.includes(':webhookId') && { webhookId: await aWebhook(params) }
    const ofMediaServer = ENDPOINTS[name].path.includes(':serverId') && {
      serverId: await aMediaServerRow(params, author),
    }
    const ofClaim = name === 'answerMediaClaim' && (await aClaim({ ...params, ...ofMediaServer }, owner))
    if (/RequestServer$|^askForMovie$/u.test(name) && name !== 'connectRequestServer') await aRequestServer(params)
    const query = QUERIES[name]
    const input: CallInput = {
      params: { ...params, ...ofMediaServer, ...ofClaim, ...ofInvitee, ...ofImport, ...ofDraw, ...ofWebhook },
      ...(body && { body }),
      ...(query && { query }),
    }
    let answer: Awaited<ReturnType<typeof call>> | undefined

    const changes = await changesDuring(async () => (answer = await call(theApp(), ENDPOINTS[name], caller, input)))

    expect(answer?.status).toBe(status)
    if (status < 400) return
    const types: Record<number, string> = {
      400: 'BAD_REQUEST',
      401: 'UNAUTHORIZED',
      403: 'UNAUTHORIZED',
      404: 'NOT_FOUND',
    }
    expect(answer?.body.type).toBe(types[status])
    expect(answer?.body.message).not.toBe('')
    expect(changes).toEqual([])
  })

  test.each(names.filter((name) => /:(?:watchlistId|nightId)/u.test(ENDPOINTS[name].path)))(
    '%s gets 404 for an unknown watchlist or night',
    async (name) => {
      nowhereScene ??= aScene(theApp(), 'stranger')
      const { given, params } = await nowhereScene
      const body = BODIES[name]?.(given)
      const query = QUERIES[name]
      const nowhere = {
        ...params,
        watchlistId: 'none',
        cardId: 'none',
        commentId: 'none',
        nightId: `none_${params['cardId']}`,
      }

      const answer = await call(theApp(), ENDPOINTS[name], aUser(), {
        params: nowhere,
        ...(body !== undefined && { body }),
        ...(query !== undefined && { query }),
      })

      expect(answer.status).toBe(404)
      expect(answer.body.type).toBe('NOT_FOUND')
    },
  )

  // Evidence: asvs-8.2.2, asvs-8.4.1
  test.each(names.filter((name) => ENDPOINTS[name].path.includes(':cardId')))(
    '%s gets 404 for a card of another watchlist',
    async (name) => {
      const { given, params } = await aScene(theApp(), 'owner')
      const { watchlist, owner } = await aWatchlist(theApp())
      const body = BODIES[name]?.(given)
      const elsewhere = { ...params, watchlistId: watchlist.id }

      const answer = await call(theApp(), ENDPOINTS[name], owner, {
        params: elsewhere,
        ...(body !== undefined && { body }),
      })

      expect(answer.status).toBe(404)
      expect(answer.body.type).toBe('NOT_FOUND')
    },
  )

  test.each([
    ['no header', undefined, 'Bearer realm="marquee"'],
    ['another scheme', 'Basic YW5hOmFuYQ==', 'Bearer realm="marquee"'],
    ['a malformed token', 'Bearer nonsense', 'Bearer realm="marquee", error="invalid_token"'],
  ])('a call with %s gets 401 and a WWW-Authenticate challenge', async (_what, authorization, challenge) => {
    const headers = authorization === undefined ? {} : { authorization }

    const answer = await call(theApp(), ENDPOINTS.listWatchlists, undefined, { headers })

    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({ type: 'UNAUTHORIZED', message: 'Unauthorized access' })
    expect(answer.headers['www-authenticate']).toBe(challenge)
  })

  // Evidence: asvs-3.5.1, asvs-7.2.1
  test('a signed-out caller gets 401 before the body is read', async () => {
    const answer = await call(theApp(), ENDPOINTS.createWatchlist, undefined, { body: 'not json' })

    expect(answer.status).toBe(401)
  })
})
