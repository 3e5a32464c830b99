import type { FastifyReply, FastifyRequest } from 'fastify'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { HEARTBEAT_MS, type LiveEvent } from '@marquee/contract/live-events'
import { PROBLEMS, problemType } from '@marquee/contract/problems'
import type { Database } from '@marquee/platform/database/database'
import { type EventStream, type EventStreams, eventText } from '@marquee/platform/http/event-stream'
import { ANSWERED, type HttpEndpoint, type Route } from '@marquee/platform/http/mount'
import { HttpProblem } from '@marquee/platform/http/problem'
import { networksOf } from '@marquee/platform/limits/by-address'
import { createSeats } from '@marquee/platform/limits/seats'
import type { Clock } from '@marquee/platform/runtime/clock'
import { HOUR_MS } from '@marquee/platform/runtime/durations'

import { authorizeNightRead, nightKeyOf } from '../../nights/nights/service.ts'
import type { User } from '../../club/people/service.ts'
import { authorizeRead } from '../../club/watchlists/service.ts'
import { forwardEvents, forwardNightEvents } from './forward-events.ts'
import type { Live } from './service.ts'

/** The maximum of open streams per user, or per address for guests. */
export const STREAMS_PER_USER = 30
const TRY_AGAIN_SECONDS = 30
/** The end of a personal token sends no event, so its stream looks whether it is still valid. */
const TOKEN_HEARTBEAT_MS = 1_000
/** A guest's stream ends after this time, as a user's ends with the token. */
const GUEST_STREAM_MS = HOUR_MS

/** The caller, with the expiry of the token in seconds since 1970. */
export type Listener = User & { readonly expiresAt: number; readonly sessionId?: string }

export type LivePorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly live: Pick<Live, 'listen' | 'listenAs'>
  readonly streams: EventStreams
  /** Throws if the token of the request is no longer valid. */
  readonly authenticate: (request: FastifyRequest, endpoint: HttpEndpoint) => Promise<Listener>
  /** Calls the listener when the sign-in ends, until the returned function is called. */
  readonly onSessionEnd?: ((sessionId: string, listener: () => void) => () => void) | undefined
}

type Call = {
  readonly user: Listener | undefined
  readonly endpoint: HttpEndpoint
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** What a stream is about, besides the notifications of its user. */
type Subject = {
  readonly watchlistId: string
  /** Throws if the caller may not follow any more. */
  readonly look: () => Promise<unknown>
  readonly forward: (stream: EventStream) => (event: LiveEvent) => void
}

/** The event streams of a watchlist, of a movie night and of a user: `docs/product/live.md`. */
export function liveRoutes(route: Route<Listener>, ports: LivePorts): void {
  const db = ports.database.read
  const seats = createSeats({ perOwner: STREAMS_PER_USER })

  route(ENDPOINTS.watchlistEvents, async ({ user, params: { watchlistId }, request, reply }) => {
    const look = async () => await authorizeRead(db, user, 'watchlist.follow', watchlistId)
    const access = await look()
    const forward = (stream: EventStream) => forwardEvents(stream, access, look)
    openStream({ user, endpoint: ENDPOINTS.watchlistEvents, request, reply }, { watchlistId, look, forward })
    return ANSWERED
  })

  route(ENDPOINTS.nightEvents, async ({ user, params: { nightId }, request, reply }) => {
    const key = nightKeyOf(nightId)
    const look = async () => {
      // A pass may have ended since the request.
      const caller = user.pass ? await ports.authenticate(request, ENDPOINTS.nightEvents) : user
      await authorizeNightRead(db, caller, 'night.follow', key)
    }
    await look()
    const forward = (stream: EventStream) => forwardNightEvents(stream, look)
    const { watchlistId } = key
    openStream({ user, endpoint: ENDPOINTS.nightEvents, request, reply }, { watchlistId, look, forward })
    return ANSWERED
  })

  route(ENDPOINTS.ownEvents, async ({ user, request, reply }) => {
    openStream({ user, endpoint: ENDPOINTS.ownEvents, request, reply })
    return ANSWERED
  })

  function openStream({ user, endpoint, request, reply }: Call, subject?: Subject): void {
    const leaveSeat = seats.take(user?.userId ?? `guest at ${networksOf(request.ip).client}`)
    if (!leaveSeat) throw tooManyStreams()
    const stream = ports.streams.open(request, reply, {
      heartbeatMs: user?.tokenScope === undefined ? HEARTBEAT_MS : TOKEN_HEARTBEAT_MS,
      lifetimeMs: user ? user.expiresAt * 1000 - ports.clock.now().getTime() : GUEST_STREAM_MS,
      // Ends the stream after a loss of access that sent no event.
      confirm: async () => {
        if (user) await ports.authenticate(request, endpoint)
        await subject?.look()
      },
      onClose: () => {
        leaveSeat()
        stopListening?.()
        stopListeningAs?.()
        stopWatching?.()
      },
    })
    const end = (): void => {
      stream.end()
    }
    const stopWatching = user?.sessionId === undefined ? undefined : ports.onSessionEnd?.(user.sessionId, end)
    // After a gap, the client connects again and fetches what it may have missed.
    const stopListening = subject && ports.live.listen(subject.watchlistId, subject.forward(stream), end)
    // Their own notifications reach users who are not members, too.
    const notify = (): void => {
      const event: LiveEvent = { kind: 'notifications-changed', watchlistId: subject?.watchlistId }
      stream.send(eventText(JSON.stringify(event)))
    }
    const stopListeningAs = user && ports.live.listenAs(user.userId, notify, end)
  }
}

function tooManyStreams(): HttpProblem {
  return new HttpProblem({
    status: PROBLEMS.TOO_MANY_REQUESTS.status,
    type: problemType('TOO_MANY_REQUESTS'),
    message: 'You have watchlists open in too many places. Please close one of them.',
    headers: { 'retry-after': String(TRY_AGAIN_SECONDS) },
  })
}
