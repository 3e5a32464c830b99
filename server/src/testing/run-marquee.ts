import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const ENTRY = join(import.meta.dirname, '../cli/marquee.ts')

export type Finished = { code: number | null; output: string }

/** Runs an operator's command as `npm run marquee` does; `killAt` ends it by force once that is printed. */
export async function runMarquee(
  args: readonly string[],
  { settings, killAt }: { settings: Readonly<Record<string, string>>; killAt?: RegExp },
): Promise<Finished> {
  const child = spawn(process.execPath, [ENTRY, ...args], { env: { ...settings }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (killAt?.test(output)) child.kill('SIGKILL')
    })
  }
  await once(child, 'close')
  return { code: child.exitCode, output }
}
