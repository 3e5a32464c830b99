import { RATE_LIMITS } from '@marquee/contract/rate-limits'
import { takeByAddress } from '@marquee/platform/limits/by-address'

import { type Html, html } from '@marquee/platform/texts/html'
import { previewJoinLink } from './rooms/club/join-links/service.ts'
import type { WatchlistPorts } from './rooms/club/watchlists/service.ts'
import type { Ports } from './ports.ts'
import { pageTitle, PRODUCT_NAME } from './texts/product-name.ts'
import { LOCALES } from './texts/texts.ts'

/**
 * The title and the OpenGraph tags of the page of a join link, in the language that the reader accepts; undefined if the
 * link is not open.
 */
export type JoinPageHead = (token: string, address: string, acceptLanguage?: string) => Promise<Html | undefined>

/** What a chat shows of a join link: no more than the page itself. Guesses count with those of the API. */
export function joinPageHeads(ports: WatchlistPorts & Pick<Ports, 'limiter' | 'publicUrl'>): JoinPageHead {
  return async (token, address, acceptLanguage) => {
    if (await takeByAddress(ports.limiter, 'joinLink', address, RATE_LIMITS.joinLink)) return undefined
    // The page makes the same call, and says what is wrong.
    const { watchlist } = await previewJoinLink(ports, token).catch(() => ({ watchlist: null }))
    if (watchlist === null) return undefined
    const { name, imageUrl, invitedBy, memberCount } = watchlist
    const { t } = LOCALES.of(LOCALES.wanted(acceptLanguage))
    const title = t('joinPage.title', { user: invitedBy, watchlist: name })
    const description = t('joinPage.description', { count: memberCount })
    return html`<title>${pageTitle(title)}</title>
      <meta property="og:site_name" content="${PRODUCT_NAME}" />
      <meta property="og:type" content="website" />
      <meta property="og:title" content="${title}" />
      <meta property="og:description" content="${description}" />
      <meta property="og:image" content="${imageUrl ?? `${ports.publicUrl}/icons/icon-512.png`}" />`
  }
}
