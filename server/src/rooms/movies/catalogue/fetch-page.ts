import { guardedFetch, type GuardedFetchOptions } from '@marquee/platform/network/guarded-fetch'
import { RefusedUrl } from '@marquee/platform/network/refused-url'

import type { FetchedPage } from './page.ts'

/** The facts of a movie are in the head of a page; Letterboxd has links to its ids within the first 400 kB. */
const MAX_PAGE_BYTES = 512 * 1024

const FETCH: GuardedFetchOptions = {
  maxBytes: MAX_PAGE_BYTES,
  isCut: true,
  timeoutMs: 4_000,
  maxRedirects: 3,
  accept: 'text/html,application/xhtml+xml',
}

/** Opens a page that a member named. @throws {RefusedUrl} */
export async function fetchPage(link: string, options: Partial<GuardedFetchOptions>): Promise<FetchedPage> {
  const { bytes, contentType = '', finalUrl: url } = await guardedFetch(link, { ...FETCH, ...options })
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/iu.test(contentType)) {
    throw new RefusedUrl('status', 'what came is not a page')
  }
  return { bytes, contentType, url }
}
