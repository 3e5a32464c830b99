import type { FastifyReply, FastifyRequest } from 'fastify'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import { QUIET_HEADER } from '@marquee/contract/live-events'
import { PROBLEMS, problemType } from '@marquee/contract/problems'
import type { EventStreams } from '@marquee/platform/http/event-stream'
import { ANSWERED, type HandlersFor } from '@marquee/platform/http/mount'
import { HttpProblem } from '@marquee/platform/http/problem'
import { networksOf } from '@marquee/platform/limits/by-address'
import { createSeats } from '@marquee/platform/limits/seats'
import type { Clock } from '@marquee/platform/runtime/clock'
import { HOUR_MS, MINUTE_MS } from '@marquee/platform/runtime/durations'

import {
  type Credentials,
  type Follower,
  type FollowerPorts,
  type Listener,
  NightFollower,
  NoticeFollower,
  WatchlistFollower,
} from './follower.ts'

/** The maximum of open streams per user, or per address for guests. */
export const STREAMS_PER_USER = 30
const TRY_AGAIN_SECONDS = 30
/** A guest's stream ends after this time, as a user's ends with the token. */
const GUEST_STREAM_MS = HOUR_MS

/**
 * What an opening screen reads is seconds old. What is older is read again all the same: a process that dies between its
 * commit and its event says nothing, and a command that deletes an account sends no event.
 */
const MOST_QUIET_MS = MINUTE_MS

export type LivePorts = FollowerPorts & {
  readonly clock: Clock
  readonly streams: EventStreams
}

/** The event streams of a watchlist, of a movie night and of a user: `docs/product/live.md`. */
export function liveHandlers(ports: LivePorts) {
  const seats = createSeats({ perOwner: STREAMS_PER_USER })

  async function start(follower: Follower, request: FastifyRequest, reply: FastifyReply): Promise<typeof ANSWERED> {
    await follower.look()
    const { user } = follower
    const leaveSeat = seats.take(user?.userId ?? `guest at ${networksOf(request.ip).client}`)
    if (!leaveSeat) throw tooManyStreams()
    const lifetimeMs = user ? user.expiresAt * 1000 - ports.clock.now().getTime() : GUEST_STREAM_MS
    const { quietMs } = follower
    if (quietMs !== undefined) void reply.header(QUIET_HEADER, Math.floor(Math.min(quietMs, MOST_QUIET_MS)))
    const stream = ports.streams.open(request, reply, follower, lifetimeMs)
    if (stream) follower.follow(stream, leaveSeat)
    else leaveSeat()
    return ANSWERED
  }

  return {
    watchlistEvents: async ({ user, params: { watchlistId }, request, reply }) => {
      const call = { user, endpoint: ENDPOINTS.watchlistEvents, credentials: credentialsOf(request), watchlistId }
      return await start(new WatchlistFollower(ports, call), request, reply)
    },
    nightEvents: async ({ user, params: { nightId }, request, reply }) => {
      const call = { user, endpoint: ENDPOINTS.nightEvents, credentials: credentialsOf(request) }
      return await start(new NightFollower(ports, call, nightId), request, reply)
    },
    ownEvents: async ({ user, request, reply }) => {
      const call = { user, endpoint: ENDPOINTS.ownEvents, credentials: credentialsOf(request) }
      return await start(new NoticeFollower(ports, call), request, reply)
    },
  } satisfies Partial<HandlersFor<typeof ENDPOINTS, Listener>>
}

/** Only what a stream needs: the request would stay in memory for hours. */
function credentialsOf({ headers: { authorization }, params }: FastifyRequest): Credentials {
  return { headers: { authorization }, params }
}

function tooManyStreams(): HttpProblem {
  return new HttpProblem({
    status: PROBLEMS.TOO_MANY_REQUESTS.status,
    type: problemType('TOO_MANY_REQUESTS'),
    message: 'You have watchlists open in too many places. Please close one of them.',
    headers: { 'retry-after': String(TRY_AGAIN_SECONDS) },
  })
}
