import { MAX_IMAGE_BYTES } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { guardedFetch, type GuardedFetchOptions } from '@marquee/platform/network/guarded-fetch'
import { imageTypeOf } from '@marquee/platform/network/image-signature'
import { RefusedUrl } from '@marquee/platform/network/refused-url'
import type { Logger } from '@marquee/platform/runtime/logger'

import { createJobQueue, QueueFull } from './job-queue.ts'
import { NO_IMAGE_URL } from './kinds.ts'

const PARALLEL_FETCHES = 16
const WAITING_FETCHES = 64

/** Small and short: strangers ask for this. The types are those that every browser shows. */
const FETCH: GuardedFetchOptions = {
  maxBytes: MAX_IMAGE_BYTES,
  timeoutMs: 5_000,
  maxRedirects: 3,
  accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif,image/*;q=0.8',
}

/** Settles if an image is at the address. @throws {Problem} BAD_REQUEST, always the same; SERVICE_UNAVAILABLE if busy */
export type CheckImageUrl = (url: string) => Promise<void>

/**
 * Looks whether an image is at an address that a stranger gives (spec section 7, `POST /validate-image-url`): it is
 * fetched behind the guard and decoded whole, so that what only claims to be one is refused. Why an address was refused
 * stands in the log alone; told apart, the answers would be a map of the network this server is in.
 */
export function createUrlCheck({
  logger,
  imageFetch,
}: {
  readonly logger: Logger
  readonly imageFetch?: Partial<GuardedFetchOptions>
}): CheckImageUrl {
  const fetching = createJobQueue({ parallel: PARALLEL_FETCHES, waiting: WAITING_FETCHES })
  // Apart from the queue of uploads: strangers must not hold up members.
  const decoding = createJobQueue({ parallel: 1, waiting: PARALLEL_FETCHES })

  async function look(url: string): Promise<void> {
    const { bytes } = await guardedFetch(url, { ...FETCH, ...imageFetch })
    if (imageTypeOf(bytes) === undefined) throw new RefusedUrl('status', 'what came is no image')
    await decoding(async () => {
      await (await import('./re-encode.ts')).proveImage(bytes)
    })
  }

  return async (url) => {
    try {
      await fetching(async () => {
        await look(url)
      })
    } catch (error) {
      if (error instanceof QueueFull) throw new Problem('SERVICE_UNAVAILABLE')
      logger.debug({ err: error, url }, 'no image was found at an address')
      throw new Problem('BAD_REQUEST', NO_IMAGE_URL)
    }
  }
}
