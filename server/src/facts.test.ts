import { expect, test, vi } from 'vitest'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { type NotificationKind } from '@marquee/contract/entities/notification'
import { WEBHOOK_KINDS, type WebhookKind } from '@marquee/contract/entities/webhook'
import type { FactName } from '@marquee/contract/facts'
import type { LiveEvent } from '@marquee/contract/live-events'
import { aWebServer } from '@marquee/platform/network/testing/web-server'
import { systemRandom } from '@marquee/platform/runtime/random'
import { anyDatabase } from '@marquee/platform/testing/each-database'
import { WITHIN } from '@marquee/platform/testing/within'

import { productMigrations } from './migrations/index.ts'
import type { RequestServerPort } from './rooms/movies/media-servers/service.ts'
import type { MovieRequestTables } from './rooms/movies/movie-requests/store.ts'
import type { ReminderTables } from './rooms/nights/nights/plan/reminder-store.ts'
import type { WebhookTables } from './rooms/news/webhooks/store.ts'
import { allAnnounced } from './testing/all-announced.ts'
import { call, type Caller, callOk } from './testing/call.ts'
import { aCard, aUser, aWatchlist } from './testing/make.ts'
import { NO_MEDIA_SERVERS } from './testing/media-servers.ts'
import { aMediaServer, MEDIA_HERE } from './testing/media/a-media-server.ts'
import { movableClock } from './testing/movable-clock.ts'
import { recordingBus } from './testing/recording-bus.ts'
import { anApp, startApp, type TestApp } from './testing/start-app.ts'
import { testPorts } from './testing/test-ports.ts'

const HOUR_MS = 60 * 60_000
const SEEDS = ['5e'.repeat(32)]
const DAYS_AHEAD = { times: ['2098-11-28T20:00', '2098-11-29T20:00'], timeZone: 'UTC' }

/** A public watchlist of Ana, with Ben. Dora is not a member. */
type Scene = { app: TestApp; watchlistId: string; ana: Caller; ben: Caller; dora: Caller; webhookId: string }
type Person = 'ana' | 'ben' | 'dora'
type Ids = Readonly<Record<string, string>>

type Case = {
  /** What has to be there before. Returns the ids of what `act` needs. */
  readonly given?: (scene: Scene) => Promise<Ids>
  readonly act: (scene: Scene, ids: Ids) => Promise<unknown>
  /** How much later what follows is announced. */
  readonly laterMs?: number
  /** The live events: the kind, whether it names a card or a draw, and the user whom it names. */
  readonly live: readonly string[]
  readonly notified?: Partial<Record<Person, readonly NotificationKind[]>>
  readonly reported?: readonly WebhookKind[]
}

const inList = ({ watchlistId }: Scene) => ({ params: { watchlistId } })
const inCard = ({ watchlistId }: Scene, { cardId = '' }: Ids) => ({ params: { watchlistId, cardId } })
const atNight = ({ nightId = '' }: Ids) => ({ params: { nightId } })

const aCardOf = async ({ app, watchlistId, ana }: Scene, status: 'SUGGESTED' | 'REVEALED' | 'WATCHED', by = ana) => {
  const { id } = await aCard(app, { inside: { id: watchlistId }, by, status })
  return { cardId: id }
}
const revealed = async (scene: Scene) => await aCardOf(scene, 'REVEALED')
const watched = async (scene: Scene) => await aCardOf(scene, 'WATCHED')
const move = async (scene: Scene, ids: Ids, status: string) =>
  await callOk(scene.app, ENDPOINTS.moveCard, scene.ana, { ...inCard(scene, ids), body: { status } })

const commented = async (scene: Scene) => {
  const ids = await aCardOf(scene, 'REVEALED', scene.ben)
  const body = { content: 'Tonight?' }
  const { commentId } = await callOk(scene.app, ENDPOINTS.addComment, scene.ana, { ...inCard(scene, ids), body })
  return { ...ids, commentId }
}
const inComment = (scene: Scene, ids: Ids) => ({
  params: { ...inCard(scene, ids).params, commentId: ids['commentId'] ?? '' },
})

const planned = async (scene: Scene) => {
  const { id } = await callOk(scene.app, ENDPOINTS.planNight, scene.ana, { ...inList(scene), body: DAYS_AHEAD })
  return { nightId: id }
}
/** Tomorrow and a little more, to the minute. */
const soon = (clock: { now: () => Date }) => ({
  times: [new Date(clock.now().getTime() + 30 * HOUR_MS).toISOString().slice(0, 16)],
  timeZone: 'UTC',
})
const opened = async (scene: Scene) => {
  const { id } = await callOk(scene.app, ENDPOINTS.openNight, scene.ana, inList(scene))
  return { nightId: id }
}
const withCode = async (scene: Scene) => {
  const ids = await opened(scene)
  const { joinCode } = await callOk(scene.app, ENDPOINTS.makeNightCode, scene.ana, atNight(ids))
  return { ...ids, code: joinCode ?? '' }
}
const withGuest = async (scene: Scene) => {
  const ids = await opened(scene)
  const body = { nickname: 'Lea' }
  const { token, guest } = await callOk(scene.app, ENDPOINTS.addGuest, scene.ana, { ...atNight(ids), body })
  return { ...ids, token, guestId: guest.guestId }
}
const withScreenCode = async (scene: Scene) => {
  const ids = await opened(scene)
  const { body } = await call(scene.app, ENDPOINTS.requestScreen, undefined)
  return { ...ids, code: body.code }
}
const withScreen = async (scene: Scene) => {
  const { code, ...ids } = await withScreenCode(scene)
  const { screenId } = await callOk(scene.app, ENDPOINTS.pairScreen, scene.ana, { ...atNight(ids), body: { code } })
  return { ...ids, screenId }
}

const prepared = async (scene: Scene, ids: Ids = {}, picks = 1) => {
  for (let n = 0; n < picks; n += 1) await aCardOf(scene, 'SUGGESTED', scene.ben)
  const body = { picks, ...ids }
  const draw = await callOk(scene.app, ENDPOINTS.prepareDraw, scene.ana, { ...inList(scene), body })
  return { ...ids, drawNumber: String(draw.drawNumber) }
}
const closeHashes = async ({ app, watchlistId, ana }: Scene, { drawNumber = '' }: Ids) => {
  const body = { hashes: ['6f'.repeat(32)] }
  await callOk(app, ENDPOINTS.closeSeedHashes, ana, { params: { watchlistId, drawNumber }, body })
}
const readyToVote = async (scene: Scene) => await prepared(scene, await opened(scene), 3)
const openVote = async (scene: Scene, ids: Ids) => {
  const body = { drawNumber: Number(ids['drawNumber']), seeds: SEEDS }
  return await callOk(scene.app, ENDPOINTS.openVote, scene.ana, { ...atNight(ids), body })
}
/** A vote at which Ana and Ben are. */
const voting = async (scene: Scene) => {
  const ids = await readyToVote(scene)
  await callOk(scene.app, ENDPOINTS.arriveAtNight, scene.ben, atNight(ids))
  const { vote } = await openVote(scene, ids)
  return { ...ids, cardIds: (vote?.cards ?? []).map(({ cardId }) => cardId).join(' ') }
}
const vote = async (scene: Scene, ids: Ids, by = scene.ana) => {
  const scores = Object.fromEntries((ids['cardIds'] ?? '').split(' ').map((id, n) => [id, n === 0 ? 2 : 0]))
  const body = { drawNumber: Number(ids['drawNumber']), scores, veto: null }
  return await callOk(scene.app, ENDPOINTS.castBallot, by, { ...atNight(ids), body })
}

/** What Seerr says of all movies. */
let atSeerr: 'asked' | 'here' = 'asked'
const SEERR: RequestServerPort = {
  identify: async () => await Promise.resolve({ version: '2.7.3' }),
  look: async () => await Promise.resolve(atSeerr),
  ask: async () => await Promise.resolve(atSeerr),
}

const canAsk = async (scene: Scene) => {
  atSeerr = 'asked'
  const body = { title: 'Alien', movie: { ids: { tmdb: '348' } }, image: 'https://example.org/a.jpg' }
  const added = { ...inList(scene), body: { ...body, revealImmediately: true } }
  const { id: cardId } = await callOk(scene.app, ENDPOINTS.addCard, scene.ben, added)
  const server = { url: 'http://seerr.example', token: 'a key' }
  await callOk(scene.app, ENDPOINTS.connectRequestServer, scene.ana, { ...inList(scene), body: server })
  return { cardId }
}
const asked = async (scene: Scene, ids: Ids) =>
  await callOk(scene.app, ENDPOINTS.askForMovie, scene.ana, inCard(scene, ids))
const untilRequest = async ({ app, watchlistId }: Scene, state: string) => {
  const requests = app.database.withTables<MovieRequestTables>().read.selectFrom('movie_request')
  await vi.waitFor(async () => {
    const found = await requests.selectAll().where('watchlist_id', '=', watchlistId).execute()
    expect(found).toMatchObject([{ state, sent_at: expect.any(String) as string, claimed_by: null }])
  }, WITHIN)
}

const invited = async (scene: Scene) => {
  const body = { username: scene.dora.username }
  await callOk(scene.app, ENDPOINTS.inviteUser, scene.ana, { ...inList(scene), body })
  return {}
}
const linked = async (scene: Scene) => {
  const body = { days: 7, maxUses: 3 }
  const { id, token } = await callOk(scene.app, ENDPOINTS.createJoinLink, scene.ana, { ...inList(scene), body })
  return { linkId: id, token }
}

/** What follows from each fact: the live events, the notifications of each person, and what a webhook reports. */
const CASES: Record<Exclude<FactName, 'poster.settled' | 'webhook.switched-off'>, Case> = {
  'watchlist.changed': {
    act: async (scene) =>
      await callOk(scene.app, ENDPOINTS.updateWatchlist, scene.ana, { ...inList(scene), body: { name: 'New' } }),
    live: ['watchlist-changed by ana'],
  },
  'watchlist.deleted': {
    act: async (scene) => await callOk(scene.app, ENDPOINTS.deleteWatchlist, scene.ana, inList(scene)),
    live: ['watchlist-deleted by ana'],
  },
  'member.joined': {
    given: linked,
    act: async ({ app, dora }, { token }) => await callOk(app, ENDPOINTS.joinByLink, dora, { body: { token } }),
    live: ['members-changed by dora', 'invitations-changed by dora'],
    notified: { ana: ['joined'], ben: ['joined'] },
    reported: ['member.joined'],
  },
  'member.left': {
    act: async ({ app, watchlistId, ben }) =>
      await callOk(app, ENDPOINTS.removeMember, ben, { params: { watchlistId, username: ben.username } }),
    live: ['members-changed by ben'],
  },
  'invitation.sent': {
    act: invited,
    live: ['invitations-changed by ana'],
    notified: { dora: ['invited'] },
  },
  'invitation.accepted': {
    given: invited,
    act: async (scene) => await callOk(scene.app, ENDPOINTS.acceptReceivedInvitation, scene.dora, inList(scene)),
    live: ['members-changed by dora', 'invitations-changed by dora'],
    notified: { ana: ['joined'], ben: ['joined'] },
    reported: ['member.joined'],
  },
  'invitation.declined': {
    given: invited,
    act: async (scene) => await callOk(scene.app, ENDPOINTS.declineInvitation, scene.dora, inList(scene)),
    live: ['invitations-changed by dora'],
  },
  'invitation.withdrawn': {
    given: invited,
    act: async ({ app, watchlistId, ben, dora }) =>
      await callOk(app, ENDPOINTS.withdrawInvitation, ben, { params: { watchlistId, username: dora.username } }),
    live: ['invitations-changed by ben'],
  },
  'link.created': { act: linked, live: ['invitations-changed by ana'] },
  'link.used': {
    given: linked,
    act: async ({ app, dora }, { token }) => await callOk(app, ENDPOINTS.joinByLink, dora, { body: { token } }),
    live: ['members-changed by dora', 'invitations-changed by dora'],
    notified: { ana: ['joined'], ben: ['joined'] },
    reported: ['member.joined'],
  },
  'link.revoked': {
    given: linked,
    act: async ({ app, watchlistId, ana }, { linkId }) =>
      await callOk(app, ENDPOINTS.revokeJoinLink, ana, { params: { watchlistId, linkId: linkId ?? '' } }),
    live: ['invitations-changed by ana'],
  },
  'link.creators-set': {
    act: async (scene) =>
      await callOk(scene.app, ENDPOINTS.setLinkCreators, scene.ana, { ...inList(scene), body: { creators: 'owner' } }),
    live: ['invitations-changed by ana'],
  },

  'box.changed': {
    act: async (scene) => await aCardOf(scene, 'SUGGESTED'),
    live: ['box-changed'],
  },
  'card.revealed': {
    given: async (scene) => await aCardOf(scene, 'SUGGESTED', scene.ben),
    act: async (scene) => await callOk(scene.app, ENDPOINTS.revealRandomCard, scene.ana, inList(scene)),
    live: ['card-revealed card by ana', 'box-changed'],
    notified: { ben: ['drawn'] },
    reported: ['card.revealed'],
  },
  'card.shortlisted': {
    given: readyToVote,
    act: openVote,
    live: [
      'card-revealed card by ana',
      'card-revealed card by ana',
      'card-revealed card by ana',
      'box-changed',
      'draws-changed by ana',
      'nights-changed',
    ],
  },
  'card.won': {
    given: async (scene) => {
      const ids = await voting(scene)
      await vote(scene, ids)
      return ids
    },
    act: async (scene, ids) => await vote(scene, ids, scene.ben),
    live: ['card-changed card by ana', 'card-changed card by ana', 'box-changed', 'nights-changed'],
    notified: { ben: ['drawn'] },
    reported: ['card.revealed'],
  },
  'card.decided': {
    given: revealed,
    act: async (scene, ids) => await move(scene, ids, 'REJECTED'),
    laterMs: 16_000,
    live: ['card-changed card by ana'],
    notified: { ben: ['declined'] },
    reported: ['card.decided'],
  },
  'card.undecided': {
    given: watched,
    act: async (scene, ids) => await callOk(scene.app, ENDPOINTS.undoMove, scene.ana, inCard(scene, ids)),
    laterMs: 16_000,
    live: ['card-changed card by ana'],
  },
  'card.put-back': {
    given: revealed,
    act: async (scene, ids) => await move(scene, ids, 'SUGGESTED'),
    live: ['card-changed card by ana', 'box-changed'],
  },
  'card.edited': {
    given: revealed,
    act: async (scene, ids) =>
      await callOk(scene.app, ENDPOINTS.editCard, scene.ana, { ...inCard(scene, ids), body: { title: 'Ran' } }),
    live: ['card-changed card by ana'],
  },
  'card.deleted': {
    given: revealed,
    act: async (scene, ids) => await callOk(scene.app, ENDPOINTS.deleteCard, scene.ana, inCard(scene, ids)),
    live: ['card-deleted card by ana'],
  },

  'comment.added': {
    given: async (scene) => await aCardOf(scene, 'REVEALED', scene.ben),
    act: async (scene, ids) => {
      const body = { content: 'Tonight?' }
      await callOk(scene.app, ENDPOINTS.addComment, scene.ana, { ...inCard(scene, ids), body })
    },
    live: ['comments-changed card by ana'],
    notified: { ben: ['commented'] },
    reported: ['comment.added'],
  },
  'comment.edited': {
    given: commented,
    act: async (scene, ids) =>
      await callOk(scene.app, ENDPOINTS.editComment, scene.ana, { ...inComment(scene, ids), body: { content: 'No' } }),
    live: ['comments-changed card by ana'],
  },
  'comment.deleted': {
    given: commented,
    act: async (scene, ids) => await callOk(scene.app, ENDPOINTS.deleteComment, scene.ana, inComment(scene, ids)),
    live: ['comments-changed card by ana'],
  },
  'viewing.changed': {
    given: revealed,
    act: async (scene, ids) =>
      await callOk(scene.app, ENDPOINTS.saveViewing, scene.ana, { ...inCard(scene, ids), body: { stars: 4 } }),
    live: ['viewings-changed card by ana'],
  },

  'servers.changed': {
    act: async ({ app, watchlistId, ana }) => {
      const { kind, url, state } = await aMediaServer('jellyfin', { films: [{ title: 'Alien', tmdb: '348' }] })
      const params = { watchlistId }
      await callOk(app, ENDPOINTS.connectMediaServer, ana, { params, body: { kind, url, token: state.key } })
      await vi.waitFor(async () => {
        const { servers } = await callOk(app, ENDPOINTS.listMediaServers, ana, { params })
        expect(servers).toMatchObject([{ state: 'ready', movies: 1 }])
      }, WITHIN)
    },
    // One for the connection and one for the list, which is read later.
    live: ['servers-changed', 'servers-changed'],
  },
  'request.made': { given: canAsk, act: asked, live: ['requests-changed card by ana'] },
  'request.changed': {
    given: canAsk,
    act: async (scene) => await callOk(scene.app, ENDPOINTS.deleteRequestServer, scene.ana, inList(scene)),
    live: ['requests-changed'],
  },
  'request.arrived': {
    given: async (scene) => {
      const ids = await canAsk(scene)
      await asked(scene, ids)
      await untilRequest(scene, 'asked')
      return ids
    },
    act: async (scene) => {
      atSeerr = 'here'
      const body = { token: 'a new key' }
      await callOk(scene.app, ENDPOINTS.changeRequestServer, scene.ana, { ...inList(scene), body })
      await untilRequest(scene, 'here')
    },
    live: ['requests-changed', 'requests-changed card'],
    // Ana has asked for it, and Ben has added its card.
    notified: { ana: ['arrived'], ben: ['arrived'] },
    reported: ['movie.arrived'],
  },

  'draw.prepared': {
    given: async (scene) => await aCardOf(scene, 'SUGGESTED'),
    act: async (scene) => await callOk(scene.app, ENDPOINTS.prepareDraw, scene.ana, { ...inList(scene), body: {} }),
    live: ['draws-changed by ana'],
  },
  'draw.hashes-closed': {
    given: prepared,
    act: closeHashes,
    live: ['draws-changed by ana'],
  },
  'draw.revealed': {
    given: prepared,
    act: async ({ app, watchlistId, ana }, { drawNumber = '' }) =>
      await callOk(app, ENDPOINTS.revealDraw, ana, { params: { watchlistId, drawNumber }, body: { seeds: SEEDS } }),
    live: ['card-revealed card by ana', 'box-changed', 'draws-changed by ana'],
    notified: { ben: ['drawn'] },
    reported: ['card.revealed'],
  },
  'draw.rule-set': {
    act: async (scene) =>
      await callOk(scene.app, ENDPOINTS.setDrawRule, scene.ana, {
        ...inList(scene),
        body: { rule: 'people', rest: 0 },
      }),
    live: ['draws-changed by ana'],
  },

  'night.planned': {
    act: planned,
    live: ['nights-changed by ana'],
    notified: { ben: ['night-planned'] },
    reported: ['night.planned'],
  },
  'night.changed': {
    given: planned,
    act: async ({ app, ana }, ids) =>
      await callOk(app, ENDPOINTS.fixNightTime, ana, {
        ...atNight(ids),
        body: { startsAt: '2098-11-28T20:00:00.000Z' },
      }),
    live: ['nights-changed by ana'],
    notified: { ben: ['night-changed'] },
    reported: ['night.changed'],
  },
  'night.cancelled': {
    given: planned,
    act: async ({ app, ana }, ids) => await callOk(app, ENDPOINTS.cancelNight, ana, atNight(ids)),
    live: ['nights-changed by ana'],
    notified: { ben: ['night-cancelled'] },
    reported: ['night.changed'],
  },
  'night.answered': {
    given: planned,
    act: async ({ app, ana }, ids) => {
      const body = { startsAt: '2098-11-28T20:00:00.000Z', answer: 'in' }
      await callOk(app, ENDPOINTS.answerNight, ana, { ...atNight(ids), body })
    },
    live: ['nights-changed by ana'],
  },
  'night.tomorrow': {
    act: async (scene) =>
      await callOk(scene.app, ENDPOINTS.planNight, scene.ana, { ...inList(scene), body: soon(clock) }),
    laterMs: 7 * HOUR_MS,
    live: ['nights-changed by ana'],
    notified: { ana: ['night-tomorrow'], ben: ['night-planned', 'night-tomorrow'] },
    reported: ['night.planned'],
  },
  'night.starting': {
    act: async (scene) =>
      await callOk(scene.app, ENDPOINTS.planNight, scene.ana, { ...inList(scene), body: soon(clock) }),
    laterMs: 29.9 * HOUR_MS,
    live: ['nights-changed by ana'],
    notified: { ana: ['night-starting'], ben: ['night-planned', 'night-starting'] },
    reported: ['night.planned'],
  },
  'night.started': { act: opened, live: ['nights-changed by ana'], reported: ['night.started'] },
  'night.attended': {
    given: opened,
    act: async ({ app, ben }, ids) => await callOk(app, ENDPOINTS.arriveAtNight, ben, atNight(ids)),
    live: ['nights-changed by ben'],
  },
  'night.ended': {
    given: opened,
    act: async ({ app, ana }, ids) => await callOk(app, ENDPOINTS.endNight, ana, atNight(ids)),
    live: ['nights-changed by ana'],
  },
  'night.draw-prepared': {
    given: async (scene) => ({ ...(await opened(scene)), ...(await aCardOf(scene, 'SUGGESTED')) }),
    act: async (scene, { nightId }) =>
      await callOk(scene.app, ENDPOINTS.prepareDraw, scene.ana, { ...inList(scene), body: { nightId } }),
    live: ['draws-changed by ana', 'nights-changed draw hash by ana'],
  },
  'night.draw-hashes-closed': {
    given: async (scene) => await prepared(scene, await opened(scene)),
    act: closeHashes,
    live: ['draws-changed by ana', 'nights-changed draw open by ana'],
  },
  'night.vetoes-set': {
    act: async (scene) =>
      await callOk(scene.app, ENDPOINTS.setVetoBudget, scene.ana, { ...inList(scene), body: { vetoBudget: 2 } }),
    live: ['nights-changed by ana'],
  },
  'night.code-made': {
    given: opened,
    act: async ({ app, ana }, ids) => await callOk(app, ENDPOINTS.makeNightCode, ana, atNight(ids)),
    live: ['nights-changed by ana'],
  },
  'guest.joined': {
    given: withCode,
    act: async ({ app }, { code }) =>
      await call(app, ENDPOINTS.joinNight, undefined, { body: { code, nickname: 'Lea' } }),
    live: ['nights-changed'],
  },
  'guest.left': {
    given: withGuest,
    act: async ({ app, ana }, { nightId = '', guestId = '' }) =>
      await callOk(app, ENDPOINTS.removeGuest, ana, { params: { nightId, guestId } }),
    live: ['nights-changed by ana'],
  },
  'guest.limit-set': {
    given: opened,
    act: async ({ app, ana }, ids) =>
      await callOk(app, ENDPOINTS.setGuestLimit, ana, { ...atNight(ids), body: { allowsManyGuests: true } }),
    live: ['nights-changed by ana'],
  },
  'guest.claimed': {
    given: withGuest,
    act: async ({ app, ben }, { token }) => await callOk(app, ENDPOINTS.claimNight, ben, { body: { token } }),
    live: ['nights-changed'],
  },
  'screen.paired': {
    given: withScreenCode,
    act: async ({ app, ana }, { code, ...ids }) =>
      await callOk(app, ENDPOINTS.pairScreen, ana, { ...atNight(ids), body: { code } }),
    live: ['nights-changed by ana'],
  },
  'screen.ended': {
    given: withScreen,
    act: async ({ app, ana }, { nightId = '', screenId = '' }) =>
      await callOk(app, ENDPOINTS.endScreen, ana, { params: { nightId, screenId } }),
    live: ['nights-changed by ana'],
  },
  'vote.opened': {
    given: readyToVote,
    act: openVote,
    live: [
      'card-revealed card by ana',
      'card-revealed card by ana',
      'card-revealed card by ana',
      'box-changed',
      'draws-changed by ana',
      'nights-changed',
    ],
  },
  'vote.cast': { given: voting, act: vote, live: ['nights-changed'] },
  'vote.closed': {
    given: voting,
    act: async (scene, ids) => {
      await vote(scene, ids)
      const body = { drawNumber: Number(ids['drawNumber']) }
      await callOk(scene.app, ENDPOINTS.closeVote, scene.ana, { ...atNight(ids), body })
    },
    live: ['nights-changed', 'card-changed card by ana', 'card-changed card by ana', 'box-changed', 'nights-changed'],
    notified: { ben: ['drawn'] },
    reported: ['card.revealed'],
  },
  'veto.used': {
    given: async (scene) => {
      const ids = await opened(scene)
      await aCardOf(scene, 'SUGGESTED', scene.ben)
      const { id } = await callOk(scene.app, ENDPOINTS.revealRandomCard, scene.ana, inList(scene))
      await callOk(scene.app, ENDPOINTS.arriveAtNight, scene.ben, atNight(ids))
      return { ...ids, cardId: id }
    },
    act: async ({ app, ben }, { nightId = '', cardId }) =>
      await callOk(app, ENDPOINTS.vetoCard, ben, { params: { nightId }, body: { cardId } }),
    live: ['card-changed card by ana', 'box-changed', 'nights-changed'],
  },
  'ratings.due': {
    given: opened,
    act: async (scene) => await watched(scene),
    laterMs: 13 * HOUR_MS,
    live: ['card-revealed card by ana', 'card-changed card by ana', 'viewings-changed card by ana'],
    notified: { ana: ['please-rate'], ben: ['accepted', 'revealed'] },
    reported: ['card.decided', 'card.revealed'],
  },
}

const clock = movableClock()

// What follows from a fact is the same on both. The suites of the rooms send these statements to PostgreSQL.
anyDatabase<WebhookTables>({ product: productMigrations }, (theDatabase) => {
  const bus = recordingBus()
  const anywhere = { lookup: async () => ['127.0.0.1'], allowAddress: () => true, allowPort: () => true }
  // All processes of an installation have the same keys.
  const { webhookKeys } = testPorts(systemRandom.bytes(32))
  const mediaServers = { ...NO_MEDIA_SERVERS, reach: MEDIA_HERE, openRequests: () => SEERR }
  const ports = { clock, bus, webhookKeys, webhookFetch: anywhere, mediaServers }
  const theApp = anApp(() => theDatabase().withTables(), ports)

  async function aScene(status = 204): Promise<Scene> {
    const name = aUser().userId.slice(0, 8)
    const [ana, ben, dora] = [aUser(`ana ${name}`), aUser(`ben ${name}`), aUser(`dora ${name}`)]
    const app = theApp()
    const { watchlist } = await aWatchlist(app, { owner: ana, members: [ben] })
    const service = await aWebServer((_request, response) => void response.writeHead(status).end())
    const url = `http://chat.example:${service.port}/hook`
    const params = { watchlistId: watchlist.id }
    const body = { name: 'Chat', url, format: 'slack', kinds: WEBHOOK_KINDS }
    const { id } = await callOk(app, ENDPOINTS.createWebhook, ana, { params, body })
    return { app, watchlistId: watchlist.id, ana, ben, dora, webhookId: id }
  }
  const readKinds = async ({ app }: Scene, who: Caller) => {
    const { notifications } = await callOk(app, ENDPOINTS.listNotifications, who, { query: { limit: 50 } })
    return notifications.map(({ kind }) => kind)
  }
  const readAll = async (scene: Scene) => {
    const { read } = theDatabase()
    const query = read.selectFrom('webhook_delivery').select('kind').where('watchlist_id', '=', scene.watchlistId)
    return {
      ana: await readKinds(scene, scene.ana),
      ben: await readKinds(scene, scene.ben),
      dora: await readKinds(scene, scene.dora),
      reported: (await query.execute()).map(({ kind }) => kind as string),
    }
  }
  const shown = ({ watchlistId }: Scene, from: number) =>
    bus
      .eventsFor(watchlistId)
      .slice(from)
      .map(({ kind, cardId, drawNumber, seeds, by }: LiveEvent) =>
        [kind, cardId && 'card', drawNumber && 'draw', seeds, by && `by ${by.split(' ')[0]}`].filter(Boolean).join(' '),
      )
  const announced = async ({ watchlistId }: Scene, at = clock) =>
    await allAnnounced(theDatabase().withTables(), at, watchlistId)

  test.each(Object.entries(CASES))('%s sends its live events, notifications and webhooks', async (_name, it) => {
    const scene = await aScene()
    const ids = (await it.given?.(scene)) ?? {}
    await announced(scene)
    const before = await readAll(scene)
    const from = bus.eventsFor(scene.watchlistId).length

    await it.act(scene, ids)
    const live = shown(scene, from)
    await announced(scene)
    if (it.laterMs !== undefined) await announceLater(scene, it.laterMs)

    const after = await readAll(scene)
    const added = (what: keyof typeof after) => {
      const rest = [...after[what]]
      for (const kind of before[what]) rest.splice(rest.indexOf(kind), 1)
      return rest.toSorted()
    }
    const { live: expected, notified = {}, reported = [] } = it
    expect({ live, ana: added('ana'), ben: added('ben'), dora: added('dora'), reported: added('reported') }).toEqual({
      live: expected,
      ana: notified.ana ?? [],
      ben: notified.ben ?? [],
      dora: notified.dora ?? [],
      reported,
    })
  })

  test('the fact webhook.switched-off notifies the member who created the webhook', async () => {
    const scene = await aScene(410)
    const { app, watchlistId, ana, webhookId } = scene

    await callOk(app, ENDPOINTS.testWebhook, ana, { params: { watchlistId, webhookId } })
    await vi.waitFor(async () => expect(await readKinds(scene, ana)).toEqual(['webhook-off']), WITHIN)

    expect(await readAll(scene)).toEqual({ ana: ['webhook-off'], ben: [], dora: [], reported: ['test'] })
    expect(shown(scene, 0)).toEqual([])
  })

  test('the fact poster.settled has a live event that names no user', async () => {
    const server = await aWebServer((_request, response) => void response.writeHead(404).end())
    const app = await startApp(theDatabase().withTables(), { ...ports, remotePosters: 'copy', imageFetch: anywhere })
    const scene = await aScene()
    const body = { title: 'Ran', image: `http://posters.example:${server.port}/ran.jpg`, revealImmediately: true }

    await callOk(app, ENDPOINTS.addCard, scene.ana, { ...inList(scene), body })
    const live = ['card-revealed card by ana', 'card-changed card']
    await vi.waitFor(() => expect(shown(scene, 0)).toEqual(live), WITHIN)
    await announced(scene)
    await app.stop()

    expect(await readAll(scene)).toEqual({ ana: [], ben: ['revealed'], dora: [], reported: ['card.revealed'] })
  })

  /** Has another process announce what is due by then. */
  async function announceLater(scene: Scene, laterMs: number): Promise<void> {
    const later = movableClock()
    later.moveAhead(laterMs)
    const app = await startApp(theDatabase().withTables(), { ...ports, clock: later, bus: recordingBus() })
    const reminders = theDatabase().withTables<ReminderTables>().read.selectFrom('night_reminder').select('due_at')
    await vi.waitFor(async () => {
      const waiting = await reminders.where('watchlist_id', '=', scene.watchlistId).execute()
      expect(waiting.filter(({ due_at: dueAt }) => dueAt <= later.now().toISOString())).toEqual([])
    }, WITHIN)
    await announced(scene, later)
    await app.stop()
  }
})
