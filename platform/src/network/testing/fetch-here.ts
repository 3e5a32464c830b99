import { type FetchedUrl, guardedFetch, type GuardedFetchOptions } from '../guarded-fetch.ts'
import { RefusedUrl } from '../refused-url.ts'

/** In these tests 127.0.0.1 is the public internet, under any name and port. All other addresses are forbidden. */
export const HERE: GuardedFetchOptions = {
  maxBytes: 64 * 1024,
  timeoutMs: 10_000,
  maxRedirects: 3,
  accept: 'image/*',
  lookup: async () => await Promise.resolve(['127.0.0.1']),
  allowAddress: (ip) => ip === '127.0.0.1',
  allowPort: () => true,
}

export async function fetchHere(url: string, options: Partial<GuardedFetchOptions> = {}): Promise<FetchedUrl> {
  return await guardedFetch(url, { ...HERE, ...options })
}

/** The reason why a fetch was rejected, or its result. */
export async function reasonOf(fetching: Promise<FetchedUrl>): Promise<string> {
  try {
    return `fetched ${(await fetching).finalUrl}`
  } catch (error) {
    if (error instanceof RefusedUrl) return error.reason
    throw error
  }
}
