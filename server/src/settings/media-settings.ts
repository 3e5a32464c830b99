import { z } from 'zod'

import { type AllowedNetworks, allowNetworks, isNetwork } from '@marquee/platform/network/allowed-networks'

import type { MediaFetchOptions } from '../rooms/movies/media-servers/adapters/port.ts'
import { userAgentOf } from '../texts/product-name.ts'

/** The ports of the web, of Jellyfin and Emby, of Plex, and of Seerr. */
const MEDIA_PORTS: readonly number[] = [80, 443, 8080, 8443, 8096, 8920, 32_400, 5055]

type MediaServers = 'off' | AllowedNetworks

const isWord = (text: string): text is 'off' | 'public' | 'private' => ['off', 'public', 'private'].includes(text)

/** The settings of media servers. */
export const MEDIA_SETTINGS = {
  MEDIA_SERVERS: z
    .string()
    .transform((text): MediaServers => (isWord(text) ? text : text.split(',').map((part) => part.trim())))
    .refine((value) => typeof value === 'string' || value.every((text) => isNetwork(text)), {
      error: 'Must be off, public or private, or networks such as 192.168.1.0/24, separated by commas',
    })
    .prefault('off')
    .describe(
      'Whether owners may connect [media servers](media-servers.md), and at which addresses. `public`: of the public internet. `private`: also of private networks (10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7). Networks, separated by commas: also of exactly these, for example `192.168.1.0/24`.',
    ),
}

/** Where media servers may be; undefined if the operator has not switched them on. */
export function mediaFetchOf({
  MEDIA_SERVERS: allowed,
  PUBLIC_URL: publicUrl,
}: {
  readonly MEDIA_SERVERS: MediaServers
  readonly PUBLIC_URL: string
}): MediaFetchOptions | undefined {
  if (allowed === 'off') return undefined
  return {
    allowAddress: allowNetworks(allowed),
    allowPort: (port) => MEDIA_PORTS.includes(port),
    userAgent: userAgentOf(publicUrl),
  }
}
