import { randomInt } from 'node:crypto'

import { type SeerrStandIn, startSeerr } from './seerr.ts'
import { type MediaStandIn, startMediaStandIn } from './stand-in.ts'

/** The ports of media servers that the settings allow; others may have the usual one. */
const PORTS = {
  jellyfin: [8096, 8920, 5055],
  emby: [8096, 8920, 5055],
  plex: [32_400, 8920, 5055],
  seerr: [5055, 8443, 8920],
} as const

/**
 * A stand-in that a server with `MEDIA_SERVERS=127.0.0.0/8` reaches: at an allowed port, and an address of this machine that
 * nothing else uses. Linux answers at all of 127.0.0.0/8.
 */
export async function startAtUsualPort(
  kind: MediaStandIn['kind'],
  options: Parameters<typeof startMediaStandIn>[1] = {},
): Promise<MediaStandIn> {
  return await atFreePort(kind, async (place) => await startMediaStandIn(kind, { ...options, ...place }))
}

/** The same for Seerr. */
export async function startSeerrAtUsualPort(): Promise<SeerrStandIn> {
  return await atFreePort('seerr', startSeerr)
}

async function atFreePort<T>(
  kind: keyof typeof PORTS,
  start: (place: { host: string; port: number }) => Promise<T>,
): Promise<T> {
  const host = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`
  let fault: unknown
  for (const port of PORTS[kind]) {
    try {
      return await start({ host, port })
    } catch (error) {
      fault = error
    }
  }
  throw fault
}
