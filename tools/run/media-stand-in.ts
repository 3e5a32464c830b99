import process from 'node:process'

import { startSeerr } from '../../server/src/testing/media/seerr.ts'
import { startMediaStandIn } from '../../server/src/testing/media/stand-in.ts'

/** The ports that the server allows for media servers. */
const PORTS = [8096, 8920, 8080, 8443, 5055, 32_400]

/** On the first of these ports that is free. */
async function onFreePort<T>(
  start: (place: { port: number }) => Promise<T>,
  [port = 0, ...others]: readonly number[],
): Promise<T> {
  try {
    return await start({ port })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || others.length === 0) throw error
    return await onFreePort(start, others)
  }
}

/**
 * Starts stand-ins for Jellyfin with real films, and for Seerr, for journeys and for work without a media server. It prints
 * their addresses and keys, one per line. A server with `MEDIA_SERVERS=127.0.0.0/8` may connect to them. With SIGUSR2, all
 * movies arrive that Seerr was asked for. It ends on SIGTERM or SIGINT, and fails if a request was not as described.
 */
const standIn = await onFreePort(async (place) => await startMediaStandIn('jellyfin', place), PORTS)
const seerr = await onFreePort(startSeerr, PORTS.toReversed())
console.log(`SEERR_URL=${seerr.url}`)
console.log(`SEERR_KEY=${seerr.state.key}`)
console.log(`MEDIA_SERVER_URL=${standIn.url}`)
console.log(`MEDIA_SERVER_KEY=${standIn.state.key}`)

const end = (): void => {
  Promise.all([standIn.stop(), seerr.stop()]).then(
    () => process.exit(0),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
}
process.on('SIGTERM', end)
process.on('SIGINT', end)
process.on('SIGUSR2', () => {
  for (const movie of seerr.state.movies.values()) movie.status = 5
})
