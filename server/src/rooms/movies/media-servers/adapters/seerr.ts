import { z } from 'zod'

import { createMediaClient, type MediaClient } from './client.ts'
import {
  type AskedState,
  type MediaFetchOptions,
  MediaServerFault,
  type RequestServerPort,
  type Target,
} from './port.ts'

const STATUS = '/api/v1/status'

const Status = z.object({ version: z.string(), commitTag: z.string() })
const Me = z.object({ id: z.int() })

/** Of a movie in Seerr. There are two more: 6 and 7 mean that it was removed or is never fetched, depending on the version. */
const IN_SEERR = { pending: 2, processing: 3, partlyAvailable: 4, available: 5 } as const
/** Of a request. The last one is 5, which says nothing that the movie does not. */
const REQUEST = { pending: 1, approved: 2, declined: 3, failed: 4 } as const

const Request = z.object({ id: z.int(), status: z.int(), is4k: z.boolean().nullish() })
const MovieDetails = z.object({
  id: z.int(),
  mediaInfo: z.object({ status: z.int(), requests: z.array(Request).nullish() }).nullish(),
})
type MediaInfo = NonNullable<z.output<typeof MovieDetails>['mediaInfo']>

/** Seerr, and Jellyseerr and Overseerr, which it comes from. */
export function openSeerr(target: Target, options: MediaFetchOptions): RequestServerPort {
  const client = createMediaClient(target, { keyHeaders: { 'x-api-key': target.token }, open: [STATUS] }, options)

  const look = async (tmdbId: string, signal: AbortSignal): Promise<AskedState> => {
    const path = `/api/v1/movie/${encodeURIComponent(tmdbId)}`
    const { id, mediaInfo } = await client.ask(path, MovieDetails, { signal })
    if (String(id) !== tmdbId) throw new MediaServerFault('other-server', `${path}: another movie`)
    return mediaInfo ? stateOf(mediaInfo) : 'none'
  }

  return {
    identify: async (signal) => {
      // This call needs no key, so a wrong address does not get the key.
      const { version } = await client.ask(STATUS, Status, { signal })
      await client.ask('/api/v1/auth/me', Me, { signal })
      return { version: version.slice(0, 40) }
    },
    look,
    ask: async (tmdbId, signal) => {
      const before = await look(tmdbId, signal)
      if (before !== 'none' && before !== 'declined') return before
      if (!(await send(client, tmdbId, signal))) return 'declined'
      const after = await look(tmdbId, signal)
      return after === 'none' ? 'asked' : after
    },
  }
}

/** Sends a request. False if the server refuses this one. */
async function send(client: MediaClient, tmdbId: string, signal: AbortSignal): Promise<boolean> {
  const body = { mediaType: 'movie', mediaId: Number(tmdbId) }
  const status = await client.send('/api/v1/request', { method: 'POST', body, signal }).catch((error: unknown) => {
    // The key was accepted a moment ago: a quota, a permission or a list of unwanted movies refuses the movie.
    if (error instanceof MediaServerFault && error.kind === 'key') return undefined
    throw error
  })
  if (status === undefined) return false
  // Someone was faster.
  if (status === 201 || status === 409) return true
  throw new MediaServerFault(status >= 500 || status === 429 ? 'unreachable' : 'other-server', `request: ${status}`)
}

function stateOf({ status, requests }: MediaInfo): AskedState {
  if (status === IN_SEERR.available) return 'here'
  if (status === IN_SEERR.partlyAvailable) return 'partly'
  if (status === IN_SEERR.processing) return 'coming'
  const [last] = (requests ?? []).filter(({ is4k }) => is4k !== true).toSorted((a, b) => b.id - a.id)
  if (last?.status === REQUEST.pending) return 'asked'
  if (last?.status === REQUEST.approved) return 'coming'
  if (last?.status === REQUEST.declined) return 'declined'
  if (last?.status === REQUEST.failed) return 'failed'
  return status === IN_SEERR.pending ? 'asked' : 'none'
}
