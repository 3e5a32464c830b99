import { execFileSync, spawn } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { type Mutant, MUTANTS } from '../mutants/mutants.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const USAGE = 'Usage: npm run mutants -- [--only TEXT] [--seeds N] [--seconds N] [--skip-tests]'

type Options = { only: string; seeds: string; seconds: number; skipsTests: boolean }
/** What noticed a bug. `late` ran out of time. */
type Verdict = 'caught' | 'missed' | 'late'

/**
 * `npm run mutants`: puts bugs into a copy of the tree, one by one, and shows which of them the simulation and the nearest
 * tests notice. Exit code 1 if both miss more than one.
 */
export async function run(args: string[]): Promise<number> {
  const options = read(args)
  if (!options) {
    console.error(USAGE)
    return 2
  }
  const chosen = MUTANTS.filter(({ name }) => name.includes(options.only))
  const copy = copyOfTree()
  const counts = { simulation: 0, any: 0 }
  try {
    for (const mutant of chosen) {
      const [simulation, tests] = await withMutant(copy, mutant, async () => [
        await simulate(copy, options),
        options.skipsTests ? undefined : await runTests(copy, mutant, options),
      ])
      if (simulation === 'caught') counts.simulation += 1
      if (simulation === 'caught' || tests === 'caught') counts.any += 1
      console.log(`simulation ${simulation.padEnd(7)} tests ${(tests ?? '-').padEnd(7)} ${mutant.name}`)
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
  console.log(`Of ${chosen.length} bugs, ${counts.any} were caught, ${counts.simulation} by the simulation`)
  return chosen.length - counts.any > 1 ? 1 : 0
}

function read(args: string[]): Options | undefined {
  try {
    const { values } = parseArgs({
      args,
      options: {
        only: { type: 'string', default: '' },
        seeds: { type: 'string', default: '60' },
        seconds: { type: 'string', default: '240' },
        'skip-tests': { type: 'boolean', default: false },
      },
    })
    const seconds = Number(values.seconds)
    if (!(seconds > 0) || !/^[1-9]\d*$/u.test(values.seeds)) return undefined
    return { only: values.only, seeds: values.seeds, seconds, skipsTests: values['skip-tests'] }
  } catch {
    return undefined
  }
}

/** The files of the tree, with links to what is installed. */
function copyOfTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'marquee-mutants-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const path of listed.toString().split('\0')) {
    if (path === '') continue
    mkdirSync(join(copy, dirname(path)), { recursive: true })
    copyFileSync(join(root, path), join(copy, path))
  }
  link(copy, 'node_modules')
  link(copy, 'server/node_modules')
  const workspaces = join(copy, 'node_modules', '@marquee')
  rmSync(workspaces)
  mkdirSync(workspaces)
  for (const name of readdirSync(join(root, 'node_modules', '@marquee')))
    symlinkSync(join(copy, name), join(workspaces, name))
  return copy
}

function link(copy: string, folder: string): void {
  mkdirSync(join(copy, folder), { recursive: true })
  for (const name of readdirSync(join(root, folder))) symlinkSync(join(root, folder, name), join(copy, folder, name))
}

async function withMutant<T>(copy: string, { file, before, after }: Mutant, work: () => Promise<T>): Promise<T> {
  const path = join(copy, file)
  const right = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    right.replace(before, () => after),
  )
  try {
    return await work()
  } finally {
    writeFileSync(path, right)
  }
}

/** Two processes on PostgreSQL notice what one does not. */
async function simulate(copy: string, { seeds, seconds }: Options): Promise<Verdict> {
  const verdicts: Verdict[] = []
  for (const database of ['sqlite', 'postgres']) {
    const call = `process.exitCode = await (await import('./tools/run/simulate.ts')).run(process.argv.slice(1))`
    const given = ['--seeds', seeds, '--bail', '--database', database]
    const verdict = await verdictOf(copy, ['--input-type=module', '--eval', call, '--', ...given], seconds)
    if (verdict === 'caught') return verdict
    verdicts.push(verdict)
  }
  return verdicts.includes('late') ? 'late' : 'missed'
}

async function runTests(copy: string, { tests }: Mutant, { seconds }: Options): Promise<Verdict> {
  return await verdictOf(copy, [join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--bail=1', ...tests], seconds)
}

async function verdictOf(copy: string, args: readonly string[], seconds: number): Promise<Verdict> {
  // A group of its own, so that the databases which it starts end with it.
  const child = spawn(process.execPath, args, { cwd: copy, stdio: 'ignore', detached: true })
  const clock = { isOver: false }
  const timer = setTimeout(() => {
    clock.isOver = true
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  }, seconds * 1_000)
  const code = await new Promise<number | null>((resolve) => {
    child.once('exit', resolve)
  })
  clearTimeout(timer)
  if (clock.isOver) return 'late'
  return code === 0 ? 'missed' : 'caught'
}
