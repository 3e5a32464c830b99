import assert from 'node:assert/strict'

import { type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'

import { insertMember } from '../../rooms/club/watchlists/store.ts'
import { saveViewingRow } from '../../rooms/movies/viewings/store.ts'
import { register, testToken } from '../test-accounts.ts'
import { type Difference, DIFFERENCES, hiddenOf, ownerOf, type WorldName } from './differences.ts'
import type { Time } from './time.ts'
import type { Asked, World } from './world.ts'

/** Everyone who makes calls. None of them owns the hidden card or gave the hidden ballot. */
export const ROLES = [
  'owner',
  'member',
  'writing token',
  'reading token',
  'former member',
  'stranger',
  'visitor',
  'guest',
  'screen',
] as const
export type Role = (typeof ROLES)[number]

/** Roles whose event streams stay open. */
export const FOLLOWERS: readonly [Role, EndpointName][] = [
  ['owner', 'watchlistEvents'],
  ['member', 'watchlistEvents'],
  ['member', 'ownEvents'],
  ['former member', 'watchlistEvents'],
  ['stranger', 'watchlistEvents'],
  ['visitor', 'watchlistEvents'],
  ['guest', 'nightEvents'],
  ['screen', 'nightEvents'],
]

const USERS = ['ana', 'ben', 'cleo', 'dora', 'eve', 'hal', 'hana', 'newcomer'] as const
type User = (typeof USERS)[number]

/** A world of one seed: its ids, which are the same in both worlds, and the token of each role. */
export type Stage = {
  readonly watchlistId: string
  readonly hiddenId: string | undefined
  readonly nightId: string
  /** Parameters and values that all callers know from the beginning. */
  readonly known: Readonly<Record<string, readonly string[]>>
  readonly tokenOf: Readonly<Record<Role, string | undefined>>
}

type Input = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The request of a call. */
export function askedFor(name: EndpointName, token: string | undefined, input: Input = {}): Asked {
  const endpoint = ENDPOINTS[name]
  const { params = {}, query = {}, body, headers = {} } = input
  const path = endpoint.path.replaceAll(/:(\w+)/gu, (_match, key: string) => encodeURIComponent(params[key] ?? '-'))
  const search = new URLSearchParams(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]): [string, string] => [key, String(value)]),
  ).toString()
  return {
    method: endpoint.method,
    url: `/api${path}${search === '' ? '' : `?${search}`}`,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    payload: body === undefined ? undefined : JSON.stringify(body),
    isStream: 'events' in endpoint,
  }
}

/** The ids of the users of a seed. */
const userOf = (seed: number, name: User) => ({
  userId: `${String(seed).padStart(12, '0')}-${name}`,
  username: `${name}${seed}`,
})

/** The steps of the set-up have numbers of their own. */
const FIRST_STEP = 100_000
const AFTER_SECRET = 101_000

/** Sets up one world. Everything is the same in both but for the difference. */
export async function setUp(
  world: World,
  {
    time,
    seed,
    difference,
    name,
    port,
  }: { time: Time; seed: number; difference: Difference; name: WorldName; port: number },
): Promise<Stage> {
  let step = FIRST_STEP
  const user = (who: User) => userOf(seed, who)
  for (const who of USERS) register({ ...user(who), email: `${who}${seed}@example.org` })
  const ask = async (by: User | undefined, call: EndpointName, input: Input = {}) => {
    step += 1
    world.reseed(seed, step)
    const answered = await world.send(askedFor(call, by && testToken(user(by)), input))
    assert.equal(answered.status, ENDPOINTS[call].status, `${call}: ${answered.body}`)
    return (answered.body === '' ? {} : JSON.parse(answered.body)) as Readonly<Record<string, string>>
  }
  const { id: watchlistId = '' } = await ask('ana', 'createWatchlist', { body: { name: 'Friday films' } })
  const params: Record<string, string> = { watchlistId }
  await world.database.transaction(async (trx) => {
    for (const [n, who] of (['ben', 'cleo', 'dora', 'hal', 'hana'] as const).entries()) {
      const { userId, username } = user(who)
      const joined_at = new Date(time.clock.now().getTime() + n + 1).toISOString()
      await insertMember(trx, { watchlist_id: watchlistId, user_id: userId, username, joined_at })
    }
  })
  const add = async (by: User, content: object, revealImmediately = false) => {
    const image = 'https://example.org/poster.jpg'
    return (await ask(by, 'addCard', { params, body: { image, ...content, revealImmediately } }))['id'] ?? ''
  }
  const comedy = { year: 1967, runtimeMinutes: 100, genres: ['Comedy'], directors: ['Jacques Tati'] }
  const drama = { year: 1952, runtimeMinutes: 143, genres: ['Drama'], directors: ['Akira Kurosawa'] }
  const shown = await add(
    'ben',
    { title: 'Stalker', movie: { year: 1979, runtimeMinutes: 162, ids: { tmdb: '1398' } } },
    true,
  )
  await ask('ana', 'setCountry', { params, body: { country: 'DE' } })
  await add('dora', { title: 'Paris, Texas' }, true)
  await add('ana', { title: 'Playtime', movie: comedy })
  await add('ben', { title: 'Ikiru', movie: drama })
  // So that neither is found by having a card at all.
  for (const who of ['hal', 'hana'] as const) if (seed % 2 === 0) await add(who, { title: `Of ${who}`, movie: drama })
  const removed = { params: { ...params, username: user('dora').username } }
  await ask('ana', 'removeMember', removed)

  const { id: nightId = '' } = await ask('ana', 'openNight', { params })
  params['nightId'] = nightId
  const { token: guest = '' } = await ask('ana', 'addGuest', { params, body: { nickname: 'Lea' } })
  const screen = await ask(undefined, 'requestScreen')
  await ask('ana', 'pairScreen', { params, body: { code: screen['code'] } })
  const { pass } = (await ask(undefined, 'findScreenPass', {
    body: { code: screen['code'], secret: screen['secret'] },
  })) as unknown as { pass: { token: string } }
  const token = async (scope: 'read' | 'write') =>
    (await ask('cleo', 'createPersonalToken', { body: { name: scope, scope, days: 30 } }))['token']
  const { joinCode = '' } = await ask('ana', 'makeNightCode', { params })
  const link = await ask('ana', 'createJoinLink', { params, body: { days: 7, maxUses: 10 } })
  const [writing, reading] = [await token('write'), await token('read')]
  let webhookId: string | undefined
  if (seed % 3 === 0) {
    const kinds = ['card.revealed', 'card.decided', 'comment.added', 'night.started', 'night.changed']
    const body = { name: 'Chat', url: `http://chat.example:${port}/hook`, format: 'standard', kinds }
    webhookId = (await ask('ana', 'createWebhook', { params, body }))['id']
    await ask('ben', 'savePushDevice', { body: { ...A_BROWSER, endpoint: `http://push.example:${port}/ben` } })
  }

  if (seed % 2 === 1) {
    const body = { kind: 'jellyfin', url: 'http://media.example', token: 'key', openUrl: 'https://media.example' }
    await ask('ana', 'connectMediaServer', { params, body })
    await ask('ana', 'connectRequestServer', { params, body: { url: 'http://seerr.example', token: 'key' } })
    await world.settled()
  }

  const isByPeople = seed % 5 < 2
  if (isByPeople) await ask('ana', 'setDrawRule', { params, body: { rule: 'people', rest: 0 } })

  let hiddenId: string | undefined
  let shortlist: readonly string[] = []
  if (difference === 'ballot') await voteSecretly()
  else hiddenId = await hide()
  // The same chance in both worlds, whatever the secret took. The hashes of devices at the night are for this draw.
  step = AFTER_SECRET
  let drawNumber = 1
  if (Math.floor(seed / DIFFERENCES.length) % 2 === 0) {
    drawNumber = Number((await ask('ana', 'prepareDraw', { params, body: { picks: 3, nightId } }))['drawNumber'])
  }
  await world.settled()

  async function hide(): Promise<string> {
    const cardId = await add(ownerOf(difference, name), hiddenOf(difference, name))
    if (difference === 'wants' && name === 'other') {
      const { title } = hiddenOf(difference, name)
      await ask('hana', 'wantMovie', { params, body: { title } })
    }
    if (difference === 'seen marks') await markAsSeen(cardId, name === 'one' ? 'hal' : 'hana')
    return cardId
  }

  /** As an import does, which marks cards of others in the box, too. */
  async function markAsSeen(cardId: string, by: Silent): Promise<void> {
    const { userId, username } = user(by)
    const mark = { seen_on: null, half_stars: 8, note: null, import_id: null, night_id: null, server_id: null }
    await world.database.transaction(async (trx) => {
      await saveViewingRow(trx, {
        watchlist_id: watchlistId,
        card_id: cardId,
        user_id: userId,
        username,
        changed_at: time.clock.now().toISOString(),
        ...mark,
      })
    })
  }

  /** Hal votes on a shortlist, and his first film is the same in both worlds. */
  async function voteSecretly(): Promise<void> {
    await add('hana', { title: 'Rango' })
    await ask('hal', 'arriveAtNight', { params })
    const { drawNumber } = await ask('ana', 'prepareDraw', { params, body: { picks: 3, nightId } })
    const seeds = ['5e'.repeat(32)]
    const opened = await ask('ana', 'openVote', { params, body: { drawNumber, seeds } })
    const { cards } = (opened as unknown as { vote: { cards: { cardId: string }[] } }).vote
    shortlist = cards.map(({ cardId }) => cardId)
    const [first = '', second = '', third = ''] = shortlist
    const ballot =
      name === 'one'
        ? { scores: { [first]: 2, [second]: 1, [third]: 1 }, veto: null }
        : { scores: { [first]: 2, [second]: 0, [third]: 1 }, veto: third }
    await ask('hal', 'castBallot', { params, body: { drawNumber, ...ballot } })
    for (const title of ['Ran', 'Sanjuro', 'Dreams']) await add('hana', { title })
  }

  const session = (who: User) => testToken(user(who))
  return {
    watchlistId,
    hiddenId,
    nightId,
    known: {
      watchlistId: [watchlistId],
      cardId: [shown, ...(hiddenId === undefined ? [] : [hiddenId])],
      nightId: [nightId],
      username: USERS.map((who) => user(who).username),
      drawNumber: [String(drawNumber)],
      joinCode: [joinCode],
      linkId: [link['id'] ?? ''],
      token: [link['token'] ?? ''],
      webhookId: webhookId === undefined ? [] : [webhookId],
      shortlist,
    },
    tokenOf: {
      owner: session('ana'),
      member: session('ben'),
      'writing token': writing,
      'reading token': reading,
      'former member': session('dora'),
      stranger: session('eve'),
      visitor: undefined,
      guest,
      screen: pass.token,
    },
  }
}

type Silent = 'hal' | 'hana'

/** The public key of a browser, a point of P-256. */
const A_BROWSER = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'x'.repeat(22),
}
