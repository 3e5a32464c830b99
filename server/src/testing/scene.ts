import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'

import { type Caller, callOk } from './call.ts'
import { aPng } from './images.ts'
import { aCard, aUser, aWatchlist } from './make.ts'
import type { TestApp } from './start-app.ts'
import { register } from './test-accounts.ts'

/** The event streams do not end by themselves and have their own tests. */
type StreamName = { [N in EndpointName]: (typeof ENDPOINTS)[N] extends { events: unknown } ? N : never }[EndpointName]
export type CallName = Exclude<EndpointName, StreamName>

export function isCall(name: EndpointName): name is CallName {
  return !('events' in ENDPOINTS[name])
}

export const CALLERS = ['guest', 'stranger', 'strangerToPrivate', 'member', 'author', 'owner', 'invitee'] as const
export type Who = (typeof CALLERS)[number]

/** The values that a valid body may contain. */
type Given = { watchlistId: string; newcomer: string; member: string; token: string; linkToken: string; image: string }

/** The public key of a browser, a point of P-256. */
const A_BROWSER_KEY = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
/** A night on New Year's Day. */
export const A_PLAN = { times: ['2099-01-01T20:00'], timeZone: 'UTC' }
const STARTS_AT = '2099-01-01T20:00:00.000Z'

/** The export of a watchlist without movies. */
export const EMPTY_EXPORT = {
  format: 'marquee-watchlist',
  version: 1,
  watchlist: {
    name: 'Films',
    description: null,
    isPrivate: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    members: [],
  },
  cards: [],
}

/** A valid body for each call that takes one. */
export const BODIES: Partial<Record<CallName, (given: Given) => Record<string, unknown>>> = {
  createWatchlist: () => ({ name: 'Films' }),
  restoreWatchlist: () => EMPTY_EXPORT,
  renamePasskey: () => ({ name: 'Laptop' }),
  setCurrentWatchlist: ({ watchlistId }) => ({ watchlistId }),
  updateWatchlist: () => ({ name: 'Changed', description: 'Changed' }),
  uploadWatchlistImage: ({ image }) => ({ imageData: image }),
  setWatchlistPrivacy: () => ({ isPrivate: true }),
  handOverWatchlist: ({ member }) => ({ username: member }),
  // The card in the box.
  wantMovie: () => ({ title: 'Paris, Texas' }),
  addCard: () => ({ title: 'Stalker', image: 'https://example.org/stalker.jpg' }),
  editCard: () => ({ title: 'Changed' }),
  prepareDraw: () => ({}),
  closeSeedHashes: () => ({ hashes: ['6f'.repeat(32)] }),
  revealDraw: () => ({ seeds: ['5e'.repeat(32)] }),
  setDrawRule: () => ({ rule: 'people', rest: 3 }),
  moveCard: () => ({ status: 'WATCHED' }),
  saveViewing: () => ({ stars: 4 }),
  addComment: () => ({ content: 'Tonight?' }),
  editComment: () => ({ content: 'Changed' }),
  inviteUser: ({ newcomer }) => ({ username: newcomer }),
  inviteByMail: ({ watchlistId }) => ({ email: `gina@${watchlistId}.example.org` }),
  acceptInvitation: ({ token }) => ({ token }),
  createJoinLink: () => ({ days: 7, maxUses: 10 }),
  setLinkCreators: () => ({ creators: 'owner' }),
  previewJoinLink: ({ linkToken }) => ({ token: linkToken }),
  joinByLink: ({ linkToken }) => ({ token: linkToken }),
  setMailSettings: () => ({ nights: false }),
  changeNotificationSettings: ({ watchlistId }) => ({ watchlist: { watchlistId, isMuted: true } }),
  readNotifications: () => ({ upTo: '00000000-0000-7000-8000-000000000000' }),
  seeNotifications: ({ watchlistId }) => ({ watchlistId, forMs: 60_000 }),
  savePushDevice: () => ({
    endpoint: 'https://127.0.0.1/push',
    p256dh: A_BROWSER_KEY,
    auth: 'x'.repeat(22),
  }),
  renewPushDevice: () => ({
    endpoint: 'https://127.0.0.1/push',
    p256dh: A_BROWSER_KEY,
    auth: 'x'.repeat(22),
    renewal: 'none',
  }),
  chooseLanguage: () => ({ language: 'de' }),
  chooseServices: () => ({ services: [11] }),
  setCountry: () => ({ country: 'DE' }),
  uploadAvatar: ({ image }) => ({ imageData: image }),
  connectMediaServer: () => ({ kind: 'jellyfin', url: 'http://127.0.0.1:9', token: 'key' }),
  changeMediaServer: () => ({ openUrl: 'https://media.example.org' }),
  finishQuickConnect: () => ({ attempt: 'none' }),
  linkWithPassword: () => ({ name: 'lea', password: 'none' }),
  claimMediaAccount: () => ({ accountId: '1' }),
  answerMediaClaim: () => ({ accountId: '7', isConfirmed: true }),
  connectRequestServer: () => ({ url: 'http://127.0.0.1:9', token: 'key' }),
  changeRequestServer: () => ({ askers: 'owner' }),
  playWinner: () => ({ serverId: 'none', sessionId: 'none' }),
  createWebhook: () => ({ name: 'Chat', url: 'http://127.0.0.1/hook', format: 'slack', kinds: ['card.revealed'] }),
  switchWebhook: () => ({ isOn: false }),
  createPersonalToken: () => ({ name: 'Backup', scope: 'read', days: 30 }),
  validateImageUrl: () => ({ url: 'http://127.0.0.1/poster' }),
  // A CSV file: "Title,Year", "Stalker,1979".
  beginImport: () => ({ fileName: 'films.csv', fileData: 'VGl0bGUsWWVhcgpTdGFsa2VyLDE5Nzk=' }),
  chooseImportRows: () => ({ rows: [0], isChosen: true }),
  planNight: () => A_PLAN,
  changeNight: () => ({ ...A_PLAN, place: 'At Ana’s' }),
  fixNightTime: () => ({ startsAt: STARTS_AT }),
  openVote: () => ({ drawNumber: 1, seeds: ['5e'.repeat(32)] }),
  castBallot: () => ({ drawNumber: 1, scores: {}, veto: null }),
  closeVote: () => ({ drawNumber: 1 }),
  vetoCard: () => ({ cardId: 'none' }),
  addGuest: () => ({ nickname: 'Lea' }),
  setGuestLimit: () => ({ allowsManyGuests: true }),
  joinNight: () => ({ code: 'ABC234', nickname: 'Lea' }),
  findScreenPass: () => ({ code: 'ABC234', secret: 'none' }),
  pairScreen: () => ({ code: 'ABC234' }),
  claimNight: () => ({ token: 'none' }),
  addSeedHash: () => ({ hash: '6f'.repeat(32) }),
  addSeed: () => ({ seed: '5e'.repeat(32) }),
  setVetoBudget: () => ({ vetoBudget: 3 }),
  answerNight: () => ({ startsAt: STARTS_AT, answer: 'in' }),
  checkSetup: () => ({ code: 'the-setup-code' }),
  sendTestMail: () => ({ code: 'the-setup-code', email: 'gina@example.org', language: 'en' }),
  createFirstAccount: () => ({
    code: 'the-setup-code',
    username: 'gina',
    email: 'gina@example.org',
    password: 'Correct-Horse-7',
  }),
  readCatalogueLink: () => ({ url: 'https://www.themoviedb.org/movie/348' }),
}

/** A valid query for each call that needs one. */
export const QUERIES: Partial<Record<CallName, Record<string, string>>> = {
  searchCatalogue: { q: 'Alien' },
  matchMovie: { title: 'Alien' },
  listViewings: { cards: 'none' },
  listAvailability: { cards: 'none' },
  listServices: { country: 'XX' },
}

function someone(name: string): Caller {
  const user = aUser(`${name} ${aUser().userId.slice(0, 8)}`)
  register({ ...user, email: undefined })
  return user
}

/**
 * A watchlist with two members besides the owner, a card in the box and one in the feed, a comment, a pending
 * invitation and a join link. The author is the member who made all four. The watchlist is private for
 * `strangerToPrivate` only. `look` reads everything that a call could have changed, as the owner.
 */
export async function aScene(app: TestApp, who: Who) {
  const [member, author, invitee, newcomer] = [someone('ben'), someone('cleo'), someone('dora'), someone('fred')]
  const { watchlist, owner } = await aWatchlist(app, {
    owner: someone('ana'),
    members: [member, author],
    isPrivate: who === 'strangerToPrivate',
  })
  await aCard(app, { inside: watchlist, by: owner })
  const card = await aCard(app, { inside: watchlist, by: author, status: 'REVEALED' })
  const inCard = { watchlistId: watchlist.id, cardId: card.id }
  const comment = await callOk(app, ENDPOINTS.addComment, author, {
    params: inCard,
    body: { content: 'First!' },
  })
  const { token } = await callOk(app, ENDPOINTS.inviteUser, author, {
    params: inCard,
    body: { username: invitee.username },
  })
  const link = await callOk(app, ENDPOINTS.createJoinLink, author, { params: inCard, body: { days: 7, maxUses: 10 } })
  const stranger = someone('eve')
  const callers = { guest: undefined, stranger, strangerToPrivate: stranger, member, author, owner, invitee }
  const params: Record<string, string> = {
    ...inCard,
    commentId: comment.commentId,
    username: member.username,
    wantId: 'none',
    passkeyId: 'none',
    tokenId: 'none',
    deviceId: 'none',
    notificationId: 'none',
    webhookId: 'none',
    linkId: link.id,
    calendarToken: 'none',
    screenId: '00000000-0000-4000-8000-000000000000',
    guestId: '00000000-0000-4000-8000-000000000000',
    // Neither exists.
    nightId: `${watchlist.id}_00000000-0000-4000-8000-000000000000`,
    drawNumber: '1',
    source: 'wikidata',
    id: 'Q103569',
  }
  const look = async () => [
    await callOk(app, ENDPOINTS.getWatchlist, owner, { params }),
    await callOk(app, ENDPOINTS.listCards, owner, { params }),
    await callOk(app, ENDPOINTS.countSuggestedCards, owner, { params }),
    await callOk(app, ENDPOINTS.listComments, owner, { params }),
    await callOk(app, ENDPOINTS.listPendingInvitations, owner, { params }),
    await callOk(app, ENDPOINTS.listJoinLinks, owner, { params }),
  ]
  const given: Given = {
    watchlistId: watchlist.id,
    newcomer: newcomer.username,
    member: member.username,
    token,
    linkToken: link.token,
    image: await aPng(),
  }
  return { caller: callers[who], params, look, given, author, owner, invitee }
}
