import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

import { startScaled } from '../../server/src/testing/scaled.ts'

/**
 * Starts the large set-up from plain processes: two of the server on PostgreSQL, Redis and S3 behind a load balancer, at
 * PORT (any free one), with mails in DATA_DIR (a folder that is removed at the end). Further settings are passed on. It
 * ends on SIGTERM or SIGINT. Whoever starts it with a channel is told where the processes are and the settings that an
 * operator's command needs too, and may send `kill` (both end at once and are started again), `end 0`, which asks one
 * process to end, and `start 0`; each is answered once it is done.
 */
const { PORT, DATA_DIR, PATH: _path, ...settings } = process.env
const ownFolder = DATA_DIR === undefined ? await mkdtemp(join(tmpdir(), 'marquee-scaled-')) : undefined
const scaled = await startScaled({
  dataDir: DATA_DIR ?? ownFolder ?? '',
  ...(PORT !== undefined && { port: Number(PORT) }),
  settings: settings as Record<string, string>,
  print: (text) => process.stdout.write(text),
})
console.log(
  `Marquee is open at ${scaled.url}, its two processes at ${scaled.processes.map(({ url }) => url).join(', ')}`,
)

let isEnding = false
const end = async (): Promise<void> => {
  if (isEnding) return
  isEnding = true
  await scaled.stop()
  if (ownFolder !== undefined) await rm(ownFolder, { recursive: true, force: true })
  process.exit(0)
}
process.on('SIGTERM', () => void end())
process.on('SIGINT', () => void end())
process.on('disconnect', () => void end())

async function obey(wish: string): Promise<void> {
  const [what, place] = wish.split(' ')
  if (what === 'kill') await scaled.killAndRestart()
  if (what === 'end') await scaled.processes[Number(place)]?.end('SIGTERM')
  if (what === 'start') await scaled.start(Number(place))
}
process.on('message', (wish) => {
  void obey(String(wish)).then(() => process.send?.({ done: wish }))
})
process.send?.({
  settings: { DATABASE_URL: scaled.postgres.url },
  processes: scaled.processes.map(({ url, metricsUrl }) => ({ url, metricsUrl })),
})
