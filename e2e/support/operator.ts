import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { PROGRAM_ENV, type RunningServer } from './server.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

/** Runs a command of the operator (`npm run marquee --`) and returns its output. */
export async function runCommand(server: RunningServer, ...words: readonly string[]): Promise<string> {
  const env = { ...PROGRAM_ENV, ...server.settings() }
  const { stdout } = await run(process.execPath, ['server/src/cli/marquee.ts', ...words], { cwd: root, env })
  return stdout.trim()
}
