import pLimit from 'p-limit'

import { MAX_IMAGE_BYTES } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { guardedFetch, type GuardedFetchOptions } from '@marquee/platform/network/guarded-fetch'
import { RefusedUrl } from '@marquee/platform/network/refused-url'
import type { Logger } from '@marquee/platform/runtime/logger'

import { acceptedTypeOf } from './header.ts'
import { NO_IMAGE_URL } from './names.ts'

const PARALLEL_FETCHES = 16
const WAITING_FETCHES = 64

/** Small and short, because callers need no account. The types are those that the server decodes. */
const FETCH: GuardedFetchOptions = {
  maxBytes: MAX_IMAGE_BYTES,
  timeoutMs: 5_000,
  maxRedirects: 3,
  accept: 'image/webp,image/png,image/jpeg,image/gif',
}

/** Resolves if an image is at the address. @throws {Problem} BAD_REQUEST, always the same; SERVICE_UNAVAILABLE if busy */
export type CheckImageUrl = (url: string) => Promise<void>

/**
 * Checks whether there is an image at a URL from an unknown caller. It is fetched behind the guard, and its header must be
 * that of an image the server would decode. Nothing is decoded. The reason for a rejection is only logged,
 * because different answers would map the network of this server.
 */
export function createUrlCheck({
  logger,
  imageFetch,
}: {
  readonly logger: Logger
  readonly imageFetch?: Partial<GuardedFetchOptions>
}): CheckImageUrl {
  const fetching = pLimit(PARALLEL_FETCHES)

  async function look(url: string): Promise<void> {
    const { bytes } = await guardedFetch(url, { ...FETCH, ...imageFetch })
    if (acceptedTypeOf(bytes) === undefined)
      throw new RefusedUrl('content', 'the header is not that of an image we accept')
  }

  return async (url) => {
    if (fetching.pendingCount >= WAITING_FETCHES) throw new Problem('SERVICE_UNAVAILABLE')
    try {
      await fetching(look, url)
    } catch (error) {
      logger.debug({ err: error, url }, 'no image was found at an address')
      throw new Problem('BAD_REQUEST', NO_IMAGE_URL)
    }
  }
}
