import manifest from '../../package.json' with { type: 'json' }

export const PRODUCT_NAME = 'Marquee'

/** The user agent for other services: name, version, and the address as contact. */
export function userAgentOf(publicUrl: string): string {
  return `${PRODUCT_NAME}/${manifest.version} (+${publicUrl})`
}
