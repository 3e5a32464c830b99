import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

import { LRUCache } from 'lru-cache'

import { MAX_URL_LENGTH } from '@marquee/contract/limits'
import { DAY_MS } from '@marquee/platform/runtime/durations'

import type { Lookup, Picture } from './lookup.ts'

const CACHE_BYTES = 32 * 1024 * 1024
const MAX_POSTER_BYTES = 1024 * 1024
const PICTURE_MS = 5_000

/** The small pictures of results. Browsers load them from this server, which fetches only addresses that it signed. */
export type Posters = {
  /** The address of a result's picture on this server. */
  readonly urlOf: (picture: string | null) => string | null
  /** Undefined if the signature is wrong or no picture is there. */
  readonly find: (picture: string, signature: string) => Promise<Picture | undefined>
}

/** The first key signs. The others, from before a change of the master key, are still accepted. */
export function createPosters(lookup: Lookup, masterKeys: readonly Buffer[], publicUrl: string): Posters {
  const keys = masterKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'catalogue posters', 32)))
  const signaturesOf = (picture: string) => keys.map((key) => createHmac('sha256', key).update(picture).digest())
  const pictures = new LRUCache<string, Picture>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length,
    ttl: DAY_MS,
    ignoreFetchAbort: true,
    fetchMethod: async (picture) => {
      const found = await lookup.picture(picture, lookup.source, AbortSignal.timeout(PICTURE_MS))
      return found && found.bytes.length <= MAX_POSTER_BYTES ? found : undefined
    },
  })

  return {
    urlOf: (picture) => {
      const [signature] = picture === null ? [] : signaturesOf(picture)
      if (picture === null || !signature || picture.length > MAX_URL_LENGTH) return null
      return `${publicUrl}/images/posters/${signature.toString('base64url')}?of=${encodeURIComponent(picture)}`
    },
    find: async (picture, signature) => {
      const given = Buffer.from(signature, 'base64url')
      const isOurs = signaturesOf(picture).some((own) => own.length === given.length && timingSafeEqual(own, given))
      return isOurs ? await pictures.fetch(picture) : undefined
    },
  }
}
