import { onTestFinished } from 'vitest'

import type { MediaFetchOptions } from '../../rooms/movies/media-servers/adapters/port.ts'
import { type SeerrStandIn, startSeerr } from './seerr.ts'
import { type MediaStandIn, startMediaStandIn } from './stand-in.ts'

/** In tests, media servers are at names that end in .example, and on any port. */
export const MEDIA_HERE: MediaFetchOptions = {
  lookup: async (name) => await Promise.resolve(name.endsWith('.example') ? ['127.0.0.1'] : ['10.0.0.7']),
  allowAddress: (ip) => ip === '127.0.0.1',
  allowPort: () => true,
  userAgent: 'Marquee/1 (+http://localhost)',
}

/** A media server for one test, which fails if a request is not as the service describes it. */
export async function aMediaServer(...args: Parameters<typeof startMediaStandIn>): Promise<MediaStandIn> {
  const standIn = await startMediaStandIn(...args)
  onTestFinished(standIn.stop)
  return standIn
}

/** Seerr for one test, which fails if a request is not as the service describes it. */
export async function aSeerr(): Promise<SeerrStandIn> {
  const standIn = await startSeerr()
  onTestFinished(standIn.stop)
  return standIn
}
