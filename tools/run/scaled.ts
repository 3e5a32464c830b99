import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

import { startScaled } from '../../server/src/testing/scaled.ts'

/**
 * Starts the scaled set-up as plain processes: two servers on PostgreSQL, Redis and S3 behind a load balancer. PORT is its
 * port (default: a free one), DATA_DIR the folder of mails (default: a temporary folder). MARQUEE_PROGRAM is the main file of
 * the servers. Other settings are passed on to them. It ends on SIGTERM or SIGINT. A parent with an IPC channel receives the
 * URLs of the processes and the settings for an operator's command. It may send `kill` (kills and restarts both), `end 0`
 * (stops one) and `start 0`; each command gets a reply when it is done.
 */
const { PORT, DATA_DIR, PATH: _path, MARQUEE_PROGRAM: _program, ...settings } = process.env
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

async function execute(command: string): Promise<void> {
  const [what, place] = command.split(' ')
  if (what === 'kill') await scaled.killAndRestart()
  if (what === 'end') await scaled.processes[Number(place)]?.end('SIGTERM')
  if (what === 'start') await scaled.start(Number(place))
}
process.on('message', (command) => {
  void execute(String(command)).then(() => process.send?.({ done: command }))
})
process.send?.({
  settings: { DATABASE_URL: scaled.postgres.url },
  processes: scaled.processes.map(({ url, metricsUrl }) => ({ url, metricsUrl })),
})
