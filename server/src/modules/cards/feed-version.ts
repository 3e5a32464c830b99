import { createHash } from 'node:crypto'

import { CardsPage } from '@marquee/contract/entities/card'
import { z } from 'zod'

/**
 * Gives the version of a watchlist's pages: it changes with the watchlist, and with what makes the same cards look
 * different in a reply, which is the shape of a page and the address images are served from.
 */
export function feedVersions(images: { urlOf: (hash: string) => string }): (version: number) => string {
  const look = createHash('sha256')
    .update(JSON.stringify(z.toJSONSchema(CardsPage)))
    .update(images.urlOf('-'))
    .digest('base64url')
    .slice(0, 8)
  return (version) => `${version}-${look}`
}
