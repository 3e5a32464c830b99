import { LIVE_FOR_MEMBERS } from '@marquee/contract/facts'
import { HEARTBEAT_MS, type LiveEvent } from '@marquee/contract/live-events'
import type { Database } from '@marquee/platform/database/database'
import { type EventStream, type EventText, eventText, type StreamReader } from '@marquee/platform/http/event-stream'
import type { HttpEndpoint } from '@marquee/platform/http/mount'

import { authorizeNightRead, nightKeyOf } from '../../nights/nights/service.ts'
import type { Principal, User } from '../../club/people/service.ts'
import { authorizeRead } from '../../club/watchlists/service.ts'
import type { Live, NoticeListener, WatchlistListener } from './service.ts'

/** The end of a personal token sends no event, so its stream looks whether it is still valid. */
const TOKEN_HEARTBEAT_MS = 1_000
/** Events after which a listener may have gained or lost access. */
const ABOUT_ACCESS: ReadonlySet<LiveEvent['kind']> = new Set(['watchlist-changed', 'members-changed'])

/** What guests and big screens see changes with the feed and with draws, too. */
const OF_NIGHT: ReadonlySet<LiveEvent['kind']> = new Set([
  'nights-changed',
  'draws-changed',
  'card-revealed',
  'card-changed',
  'card-deleted',
])

/** The text of an event, which all streams share. */
const textOf = onceEach((event) => eventText(JSON.stringify(event)))
/** What listeners at a night get for it. */
const nightTextOf = onceEach(({ watchlistId, drawNumber, seeds }) =>
  eventText(JSON.stringify({ kind: 'nights-changed', watchlistId, drawNumber, seeds })),
)

/** The caller, with the expiry of the token in seconds since 1970. */
export type Listener = Principal & { readonly expiresAt: number }

/** What a request says about its caller. */
export type Credentials = {
  readonly headers: { readonly authorization?: string | undefined }
  readonly params: unknown
}

export type FollowerPorts = {
  readonly database: Pick<Database<unknown>, 'read'>
  readonly live: Pick<Live, 'watchlists' | 'users' | 'quietMs'>
  /** Throws if the token is no longer valid. */
  readonly authenticate: (credentials: Credentials, endpoint: HttpEndpoint) => Promise<Listener>
  /** Calls the listener when the sign-in ends. The returned function unsubscribes. */
  readonly onSessionEnd?: ((sessionId: string, listener: () => void) => () => void) | undefined
}

/** What a stream keeps of its request. */
export type Call = {
  readonly user: Listener | undefined
  readonly endpoint: HttpEndpoint
  readonly credentials: Credentials
  /** The watchlist that the stream is about, besides the notifications of its user. */
  readonly watchlistId?: string
}

/**
 * Sends what changes to one event stream, in order. The stream ends once its reader may not follow any more. Thousands are
 * open for hours, so each is one object that holds nothing of its request but the token.
 */
export abstract class Follower implements StreamReader, WatchlistListener, NoticeListener {
  protected readonly ports: FollowerPorts
  protected readonly call: Call
  #stream: EventStream | undefined
  #leaveSeat: (() => void) | undefined
  #stopWatching: (() => void) | undefined
  #last: Promise<void> | undefined

  constructor(ports: FollowerPorts, call: Call) {
    this.ports = ports
    this.call = call
  }

  /** Throws if the caller may not follow. */
  abstract look(): Promise<void>

  /** Sends an event, at once if that needs no look at the database. */
  protected abstract forward(event: LiveEvent): Promise<void> | undefined

  get user(): Listener | undefined {
    return this.call.user
  }

  /**
   * How many milliseconds this stream would certainly have been silent. Undefined if its reader does not get every event:
   * the number would tell about the others.
   */
  get quietMs(): number | undefined {
    return undefined
  }

  get heartbeatMs(): number {
    return this.call.user?.tokenScope === undefined ? HEARTBEAT_MS : TOKEN_HEARTBEAT_MS
  }

  /** Sends to this stream until it has closed. */
  follow(stream: EventStream, leaveSeat: () => void): void {
    const { user, watchlistId } = this.call
    this.#stream = stream
    this.#leaveSeat = leaveSeat
    if (watchlistId !== undefined) this.ports.live.watchlists.add(watchlistId, this)
    // Their own notifications reach users who are not members, too.
    if (user) this.ports.live.users.add(user.userId, this)
    if (user?.sessionId === undefined) return
    this.#stopWatching = this.ports.onSessionEnd?.(user.sessionId, () => {
      this.end()
    })
  }

  closed(): void {
    const { user, watchlistId } = this.call
    if (watchlistId !== undefined) this.ports.live.watchlists.remove(watchlistId, this)
    if (user) this.ports.live.users.remove(user.userId, this)
    this.#stopWatching?.()
    this.#leaveSeat?.()
  }

  /** Ends the stream after a loss of access that sent no event. */
  async confirm(): Promise<void> {
    const { user, credentials, endpoint } = this.call
    if (user) await this.ports.authenticate(credentials, endpoint)
    await this.look()
  }

  /** An event that needs no look at the database leaves nothing behind, because thousands may get it. */
  hear(event: LiveEvent): void {
    const sent = this.#last ? this.#last.then(async () => await this.forward(event)) : this.forward(event)
    if (!sent) return
    const settled = sent
      .catch(() => {
        this.end()
      })
      .then(() => {
        if (this.#last === settled) this.#last = undefined
      })
    this.#last = settled
  }

  notice(): void {
    this.send(noticeText(this.call.watchlistId))
  }

  /** The client connects again and fetches what it may have missed. */
  missed(): void {
    this.end()
  }

  protected send(text: EventText): void {
    this.#stream?.send(text)
  }

  protected end(): void {
    this.#stream?.end()
  }
}

/** Follows a watchlist, with the events that its caller may read. */
export class WatchlistFollower extends Follower {
  readonly #user: User | undefined
  readonly #watchlistId: string
  #isMember = false

  constructor(ports: FollowerPorts, call: Call & { readonly user: User | undefined; readonly watchlistId: string }) {
    super(ports, call)
    this.#user = call.user
    this.#watchlistId = call.watchlistId
  }

  async look(): Promise<void> {
    const access = await authorizeRead(this.ports.database.read, this.#user, 'watchlist.follow', this.#watchlistId)
    this.#isMember = access.isMember
  }

  override get quietMs(): number | undefined {
    if (!this.#isMember || !this.#user) return undefined
    return this.ports.live.quietMs({ watchlistId: this.#watchlistId, userId: this.#user.userId })
  }

  protected forward(event: LiveEvent): Promise<void> | undefined {
    if (ABOUT_ACCESS.has(event.kind)) return this.#lookAndTell(event)
    this.#tell(event)
    return undefined
  }

  async #lookAndTell(event: LiveEvent): Promise<void> {
    const wasMember = this.#isMember
    await this.look()
    this.#tell(event)
    // A former member of a public watchlist connects again as a reader.
    if (wasMember && !this.#isMember) this.end()
  }

  #tell(event: LiveEvent): void {
    if (this.#isMember || !LIVE_FOR_MEMBERS.has(event.kind)) this.send(textOf(event))
    if (event.kind === 'watchlist-deleted') this.end()
  }
}

/** Follows a movie night, without names: its listener learns that something changed, not what. */
export class NightFollower extends Follower {
  readonly #user: Listener
  readonly #nightId: string

  constructor(ports: FollowerPorts, call: Call & { readonly user: Listener }, nightId: string) {
    super(ports, { ...call, watchlistId: nightKeyOf(nightId).watchlistId })
    this.#user = call.user
    this.#nightId = nightId
  }

  async look(): Promise<void> {
    const { credentials, endpoint } = this.call
    // A pass may have ended since the request.
    const caller = this.#user.pass ? await this.ports.authenticate(credentials, endpoint) : this.#user
    await authorizeNightRead(this.ports.database.read, caller, 'night.follow', nightKeyOf(this.#nightId))
  }

  protected forward(event: LiveEvent): Promise<void> | undefined {
    if (event.kind === 'watchlist-deleted') this.end()
    if (event.kind === 'nights-changed' || ABOUT_ACCESS.has(event.kind)) return this.#lookAndTell(event)
    this.#tell(event)
    return undefined
  }

  async #lookAndTell(event: LiveEvent): Promise<void> {
    await this.look()
    this.#tell(event)
  }

  #tell(event: LiveEvent): void {
    if (OF_NIGHT.has(event.kind)) this.send(nightTextOf(event))
  }
}

/** Follows the notifications of its user only. */
export class NoticeFollower extends Follower {
  async look(): Promise<void> {}

  override get quietMs(): number | undefined {
    const { user } = this.call
    return user && this.ports.live.quietMs({ userId: user.userId })
  }

  protected forward(): undefined {}
}

function onceEach(make: (event: LiveEvent) => EventText): (event: LiveEvent) => EventText {
  const made = new WeakMap<LiveEvent, EventText>()
  return (event) => {
    const text = made.get(event) ?? make(event)
    made.set(event, text)
    return text
  }
}

function noticeText(watchlistId: string | undefined): EventText {
  const event: LiveEvent = { kind: 'notifications-changed', watchlistId }
  return eventText(JSON.stringify(event))
}
