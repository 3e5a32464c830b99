import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import process from 'node:process'

import { startAtUsualPort } from '../../server/src/testing/media/usual-port.ts'
import { asTrouble } from '../../server/src/testing/media/stand-in.ts'

/**
 * Starts stand-ins for Jellyfin, Emby and Plex with real films and one television, for journeys and for work without a media
 * server. It prints the setting for a server that uses them, the address and key of each, and the address of a control, one
 * per line. `/trouble?of=jellyfin&is=html` at the control makes one fail (`server/src/testing/media/stand-in.ts` has the
 * kinds), `/played` has what plays. It ends on SIGTERM or SIGINT, with the exit code 1 after a request that is not as the
 * service describes it.
 */
const standIns = await Promise.all([startAtUsualPort('jellyfin'), startAtUsualPort('emby'), startAtUsualPort('plex')])
const control = createServer(({ url = '/' }, response) => {
  const { pathname, searchParams } = new URL(url, 'http://control')
  if (pathname === '/trouble') {
    standIns.find(({ kind }) => kind === searchParams.get('of'))?.fail(asTrouble(searchParams.get('is')))
  }
  const played = standIns.map(({ kind, state }) => [kind, state.played])
  response.setHeader('content-type', 'application/json').end(JSON.stringify(Object.fromEntries(played)))
})
control.listen(0, '127.0.0.1')
await once(control, 'listening')

console.log('MEDIA_SERVERS=127.0.0.0/8')
for (const { kind, url, state } of standIns) {
  console.log(`${kind.toUpperCase()}_URL=${url}`)
  console.log(`${kind.toUpperCase()}_KEY=${state.key}`)
}
console.log(`CONTROL_URL=http://127.0.0.1:${(control.address() as AddressInfo).port}`)

async function end(): Promise<void> {
  control.closeAllConnections()
  control.close()
  const ended = await Promise.allSettled(standIns.map(async ({ stop }) => await stop()))
  const faults = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []))
  for (const { message } of faults) console.error(message)
  process.exit(faults.length === 0 ? 0 : 1)
}
process.on('SIGTERM', () => void end())
process.on('SIGINT', () => void end())
