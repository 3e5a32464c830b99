import manifest from '../../package.json' with { type: 'json' }

export const PRODUCT_NAME = 'Marquee'

/** The title of a page as browsers show it. */
export function pageTitle(title: string): string {
  return `${title} · ${PRODUCT_NAME}`
}

/** The user agent for other services: name, version, and the address as contact. */
export function userAgentOf(publicUrl: string): string {
  return `${PRODUCT_NAME}/${manifest.version} (+${publicUrl})`
}
