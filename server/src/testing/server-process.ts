import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
/** `npm test` tests the built server; a single test needs no build of it. */
const PROGRAM = join(ROOT, process.env['MARQUEE_PROGRAM'] ?? 'server/src/main.ts')
const STARTS_WITHIN_MS = 60_000

/** The compile cache of Node, as with `npm start`: it halves the time of a start. */
export const COMPILED = { NODE_COMPILE_CACHE: join(ROOT, '.cache/compiled') }
/** How Node runs the server, as with `npm start`. */
const FLAGS = ['--max-semi-space-size=8', '--no-allocation-site-pretenuring', '--heap-growing-percent=60']
/** How the allocator of the system keeps memory, as with `npm start`. */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '32768' }

export type ServerProcess = {
  url: string
  /** All output so far. */
  output: () => string
  /** Reads no more output, as if the program that reads it had ended. */
  closeOutput: () => void
  /** Sends the signal, or closes the IPC channel as if this process had died, and waits. Returns the exit code, if any. */
  end: (how: 'SIGTERM' | 'SIGKILL' | 'disconnect') => Promise<number | null>
}

/**
 * A real server process, as `npm start` runs it, with only the given settings and SHUTDOWN_LEAD 0. Resolves when it is
 * ready. `print` gets its output. `program` is the main file of another version, which starts `withinMs`.
 */
export async function startServer(
  settings: Readonly<Record<string, string>>,
  print?: (text: string) => void,
  { program = PROGRAM, withinMs = STARTS_WITHIN_MS }: { program?: string; withinMs?: number } = {},
): Promise<ServerProcess> {
  const { child, output, closed } = run(settings, print, program)
  const opened = Promise.withResolvers<string>()
  const timer = setTimeout(() => {
    opened.reject(new Error('The server did not open in time'))
  }, withinMs)
  child.stdout?.on('data', () => {
    const [, url] = /Marquee is open at (\S+)/u.exec(output()) ?? []
    if (url !== undefined) opened.resolve(url)
  })
  void closed.then(() => {
    opened.reject(new Error(`The server ended: ${output()}`))
  })
  try {
    const url = await opened.promise
    return {
      url,
      output,
      closeOutput: () => {
        child.stdout?.destroy()
        child.stderr?.destroy()
      },
      end: async (how) => {
        if (how !== 'disconnect') {
          child.kill(how)
          return await closed
        }
        const exited = once(child, 'exit')
        // After this, Node does not report the end of the output.
        child.disconnect()
        await exited
        return child.exitCode
      },
    }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Runs a server that is expected to exit by itself. `killAt` kills it once that text is printed. */
export async function failToStart(
  settings: Readonly<Record<string, string>>,
  killAt?: RegExp,
): Promise<{ code: number | null; output: string }> {
  const { child, output, closed } = run(settings)
  child.stdout?.on('data', () => {
    if (killAt?.test(output())) child.kill('SIGKILL')
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), STARTS_WITHIN_MS)
  const code = await closed
  clearTimeout(timer)
  return { code, output: output() }
}

function run(
  settings: Readonly<Record<string, string>>,
  print?: (text: string) => void,
  program = PROGRAM,
): {
  child: ChildProcess
  output: () => string
  closed: Promise<number | null>
} {
  const env = { ...COMPILED, ...ALLOCATOR, SHUTDOWN_LEAD: '0', ...settings }
  const child = spawn(process.execPath, [...FLAGS, program], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      print?.(text)
    })
  }
  const closed = once(child, 'close').then(() => child.exitCode)
  return { child, output: () => printed, closed }
}
