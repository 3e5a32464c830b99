import { z } from 'zod'

import type { Operation } from './description.ts'
import type { Service } from './service.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

/** A movie at Seerr, with the states of its requests, oldest first. */
export type SeerrMovie = { status: number; requests: { id: number; status: number }[] }

type SeerrState = {
  version: string
  key: string
  /** By the id of The Movie Database. Others are known to that, but no one has asked for them. */
  readonly movies: Map<number, SeerrMovie>
  /** Ids that The Movie Database does not know. */
  readonly unknown: Set<number>
  /** Ids that are never fetched. */
  readonly blocked: Set<number>
  /** Whether requests wait for an administrator. */
  needsApproval: boolean
}

const PENDING = 2
const PROCESSING = 3
const WHOLE = /^[1-9]\d*$/u

const RequestBody = z.strictObject({
  mediaType: z.enum(['movie', 'tv']),
  mediaId: z.number(),
  tvdbId: z.number().optional(),
  seasons: z.union([z.array(z.number().min(0)), z.literal('all')]).optional(),
  is4k: z.boolean().optional(),
  serverId: z.number().optional(),
  profileId: z.number().optional(),
  rootFolder: z.string().optional(),
  languageProfileId: z.number().optional(),
  userId: z.number().nullable().optional(),
  ignoreQuota: z.boolean().optional(),
})

/** Seerr from its API description, and from Jellyseerr's and Overseerr's, which have the same operations. */
function seerrService(state: SeerrState): Service {
  let lastId = 0
  const mediaInfo = (tmdbId: number, { status, requests }: SeerrMovie) => ({
    id: tmdbId + 1000,
    tmdbId,
    tvdbId: null,
    status,
    requests: requests.map((request) => ({ ...request, is4k: false, createdAt: '2026-11-20T18:00:00.000Z' })),
    createdAt: '2026-11-20T18:00:00.000Z',
    updatedAt: '2026-11-20T18:00:00.000Z',
  })

  const movie: Operation = {
    method: 'GET',
    path: /^\/api\/v1\/movie\/(?<id>[^/]+)$/u,
    query: { language: /^[a-z]{2}(?:-[A-Z]{2})?$/u },
    answer: (_asked, { id = '' }) => {
      const tmdbId = Number(id)
      if (!WHOLE.test(id) || state.unknown.has(tmdbId))
        return { status: 500, body: { message: 'Unable to retrieve movie.' } }
      const known = state.movies.get(tmdbId)
      return {
        status: 200,
        body: { id: tmdbId, title: 'A film', ...(known && { mediaInfo: mediaInfo(tmdbId, known) }) },
      }
    },
  }
  const request: Operation = {
    method: 'POST',
    path: /^\/api\/v1\/request$/u,
    body: RequestBody,
    answer: ({ body }) => {
      const { mediaId: tmdbId } = RequestBody.parse(JSON.parse(body))
      if (state.blocked.has(tmdbId)) return { status: 403, body: { message: 'This media is blocklisted.' } }
      const known = state.movies.get(tmdbId) ?? { status: 1, requests: [] }
      const isOpen = known.requests.some(({ status }) => status !== 3 && status !== 5)
      if (isOpen) return { status: 409, body: { message: 'Request for this media already exists.' } }
      lastId += 1
      const made = { id: lastId, status: state.needsApproval ? 1 : 2 }
      const now = { status: state.needsApproval ? PENDING : PROCESSING, requests: [...known.requests, made] }
      state.movies.set(tmdbId, now)
      return {
        status: 201,
        body: { ...made, media: mediaInfo(tmdbId, now), requestedBy: { id: 1, email: 'hey@itsme.com' } },
      }
    },
  }
  return {
    isKey: ({ headers }) => headers['x-api-key'] === state.key,
    refusal: 403,
    operations: [
      {
        method: 'GET',
        path: /^\/api\/v1\/status$/u,
        query: { checkUpdateAvailable: /^(?:true|false)$/u },
        isOpen: true,
        answer: () => ({
          status: 200,
          body: { version: state.version, commitTag: 'a1b2c3', restartRequired: false },
        }),
      },
      {
        method: 'GET',
        path: /^\/api\/v1\/auth\/me$/u,
        answer: () => ({ status: 200, body: { id: 1, email: 'hey@itsme.com', permissions: 2 } }),
      },
      movie,
      request,
    ],
  }
}

export type SeerrStandIn = StandIn & { readonly state: SeerrState }

export async function startSeerr(place: Parameters<typeof startStandIn>[2] = {}): Promise<SeerrStandIn> {
  const state: SeerrState = {
    version: '2.7.3',
    key: 'seerr-0123456789abcdef==',
    movies: new Map(),
    unknown: new Set(),
    blocked: new Set(),
    needsApproval: false,
  }
  return { ...(await startStandIn('seerr', { service: seerrService(state), state }, place)), state }
}
