import { MediaServerFault, type RequestServerPort } from '../../rooms/movies/media-servers/service.ts'

/** A server that fetches at once what it is asked for. While it is out, it does not answer, or its answer is lost. */
export function simulatedSeerr(isOut: () => boolean): RequestServerPort {
  const movies = new Set<string>()
  const answer = async <T>(value: T): Promise<T> => {
    if (isOut()) throw new MediaServerFault('unreachable', 'out')
    return await Promise.resolve(value)
  }
  return {
    identify: async () => await answer({ version: '1' }),
    look: async (tmdbId) => await answer(movies.has(tmdbId) ? 'here' : 'none'),
    ask: async (tmdbId) => {
      await answer(undefined)
      movies.add(tmdbId)
      return await answer('here' as const)
    },
  }
}
