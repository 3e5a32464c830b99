import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { PROGRAM_ENV, type RunningServer } from './server.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

/** Does what whoever runs the installation types after `npm run marquee --`, and gives what is printed. */
export async function operate(server: RunningServer, ...words: readonly string[]): Promise<string> {
  const env = { ...PROGRAM_ENV, ...server.settings() }
  const { stdout } = await run(process.execPath, ['server/src/cli/marquee.ts', ...words], { cwd: root, env })
  return stdout.trim()
}
