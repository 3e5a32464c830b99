import manifest from '../package.json' with { type: 'json' }

export const PRODUCT_NAME = 'Marquee'

/** How Marquee names itself to other services: with its version, and with its address as the contact. */
export function userAgentOf(publicUrl: string): string {
  return `${PRODUCT_NAME}/${manifest.version} (+${publicUrl})`
}
