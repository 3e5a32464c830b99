import process from 'node:process'

import { startMediaStandIn } from '../../server/src/testing/media/stand-in.ts'

/** The ports that the server allows for media servers. */
const PORTS = [8096, 8920, 8080, 8443, 5055, 32_400]

/** On the first of these ports that is free. */
async function startOnFreePort([port = 0, ...others]: readonly number[]): ReturnType<typeof startMediaStandIn> {
  try {
    return await startMediaStandIn('jellyfin', { port })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || others.length === 0) throw error
    return await startOnFreePort(others)
  }
}

/**
 * Starts a stand-in for Jellyfin with real films, for journeys and for work without a media server. It prints its
 * address and its key, one per line. A server with `MEDIA_SERVERS=127.0.0.0/8` may connect to it. It ends on SIGTERM or
 * SIGINT, and fails if a request was not as Jellyfin describes it.
 */
const standIn = await startOnFreePort(PORTS)
console.log(`MEDIA_SERVER_URL=${standIn.url}`)
console.log(`MEDIA_SERVER_KEY=${standIn.state.key}`)

const end = (): void => {
  standIn.stop().then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
}
process.on('SIGTERM', end)
process.on('SIGINT', end)
