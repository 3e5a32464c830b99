import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { systemRandom } from '@marquee/platform/runtime/random'
import { freePort } from '@marquee/platform/testing/free-port'

import { startServer } from '../server-process.ts'
import { signUp } from '../sign-up.ts'
import { mountSmallDisk, type SmallDisk } from '../small-disk.ts'
import { installChangeLog, openObserver } from './change-log.ts'
import { observeFile, startLoad } from './load.ts'

const SLOW_SYNC = join(import.meta.dirname, 'slow-sync.c')
const DISK_MEGABYTES = 64
const KILLS_PER_INSTALLATION = 20
/** How long a round lasts before its kill, and how long its disk is full, in milliseconds. */
const [SHORTEST, LONGEST] = [100, 800]
const LONGEST_FULL = 300

export type Round = { kill: number; isDiskFull: boolean; answered: number; retries: number; findings: string[] }

/**
 * Kills a real server repeatedly while users write to it, on a disk that syncs slowly and is full in every other
 * round. After each restart the users finish their requests, and everything is audited.
 */
export async function* killAgainAndAgain(kills: number): AsyncGenerator<Round> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-kills-'))
  const library = join(folder, 'slow-sync.so')
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, SLOW_SYNC])
  const disk = await mountSmallDisk(DISK_MEGABYTES)
  if (!disk) throw new Error('A disk that can be filled needs root, who may mount one')
  try {
    for (let done = 0; done < kills; done += KILLS_PER_INSTALLATION) {
      const rounds = killInstallation(disk, library, Math.min(KILLS_PER_INSTALLATION, kills - done))
      for await (const round of rounds) yield { ...round, kill: done + round.kill }
    }
  } finally {
    await disk.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

async function* killInstallation(disk: SmallDisk, library: string, kills: number): AsyncGenerator<Round> {
  const dataDir = join(disk.path, 'data')
  const settings = { PORT: String(await freePort()), DATA_DIR: dataDir, RATE_LIMITS: 'off', LD_PRELOAD: library }
  let server = await startServer(settings)
  try {
    const tokens: string[] = []
    for (const name of ['ana', 'ben']) tokens.push(await signUp({ url: server.url, dataDir, name }))
    const path = join(dataDir, 'marquee.db')
    const { db, close } = openObserver(path)
    await installChangeLog(db)
    close()
    for (let kill = 1; kill <= kills; kill += 1) {
      const isDiskFull = kill % 2 === 0
      const load = await startLoad({ url: server.url, tokens, observe: observeFile(path) })
      await pause(SHORTEST + systemRandom.below(LONGEST - SHORTEST))
      if (isDiskFull) await disk.fill()
      if (isDiskFull) await pause(systemRandom.below(LONGEST_FULL))
      await server.end('SIGKILL')
      if (isDiskFull) await disk.free()
      server = await startServer(settings)
      await load.untilAnswered(10)
      const findings = await load.audit()
      yield { kill, isDiskFull, answered: load.count(), retries: load.retries(), findings }
    }
  } finally {
    await server.end('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  }
}
