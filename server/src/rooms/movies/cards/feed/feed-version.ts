import { createHash } from 'node:crypto'

import { CardsPage } from '@marquee/contract/entities/card'
import { z } from 'zod'

import type { ImageAddresses } from '../../images/service.ts'

/** A poster with an address and a copy. */
const COPIED = { image_hash: null, image_url: 'https://example.org/poster.jpg', copy_hash: 'copy', copy_failed: 0 }

/**
 * The version of a watchlist's pages. It changes with the watchlist, and with what makes the same cards look different: the
 * schema of a page, and where posters are shown from.
 */
export function feedVersions(images: Pick<ImageAddresses, 'posterOf'>): (version: number) => string {
  const look = createHash('sha256')
    .update(JSON.stringify(z.toJSONSchema(CardsPage)))
    .update(JSON.stringify(images.posterOf(COPIED)))
    .digest('base64url')
    .slice(0, 8)
  return (version) => `${version}-${look}`
}
