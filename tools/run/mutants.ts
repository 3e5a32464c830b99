import { execFileSync, spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
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

import { GROUPS } from '../mutants/groups.ts'
import type { Mutant } from '../mutants/mutant.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const USAGE = `Usage: npm run mutants -- [--group ${Object.keys(GROUPS).join('|')}] [--only TEXT] [--seeds N] [--seconds N] [--skip-tests]`

type Options = { group: string | undefined; only: string; seeds: string; seconds: number; skipsTests: boolean }
/** What noticed a bug. `late` ran out of time; `broken` ended before any test ran, which says nothing about the bug. */
type Verdict = 'caught' | 'missed' | 'late' | 'broken'
type Noticed = { simulation: Verdict | undefined; tests: Verdict | undefined; redTest: string }

/**
 * `npm run mutants`: puts bugs into a copy of the tree, one by one, and shows which of them the simulation and the nearest
 * tests notice. Exit code 1 if both miss more bugs of a group than it allows.
 */
export async function run(args: string[]): Promise<number> {
  const options = read(args)
  if (!options) {
    console.error(USAGE)
    return 2
  }
  const copy = copyOfTree()
  const results: boolean[] = []
  try {
    for (const name of Object.keys(GROUPS)) {
      if (options.group === undefined || options.group === name) results.push(await runGroup(copy, name, options))
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
  return results.includes(false) ? 1 : 0
}

/** Whether enough bugs of the group were noticed. */
async function runGroup(copy: string, name: string, options: Options): Promise<boolean> {
  const { mutants, simulates, mayMiss } = GROUPS[name] ?? { mutants: [], simulates: false, mayMiss: 0 }
  const chosen = mutants.filter((mutant) => mutant.name.includes(options.only))
  const counts = { simulation: 0, any: 0 }
  for (const mutant of chosen) {
    const { simulation, tests, redTest } = await withMutant(copy, mutant, async (): Promise<Noticed> => ({
      simulation: simulates ? await simulate(copy, options) : undefined,
      ...(options.skipsTests ? { tests: undefined, redTest: '' } : await runTests(copy, mutant, options)),
    }))
    if (simulation === 'caught') counts.simulation += 1
    if (simulation === 'caught' || tests === 'caught') counts.any += 1
    const verdicts = `simulation ${(simulation ?? '-').padEnd(7)} tests ${(tests ?? '-').padEnd(7)}`
    console.log(`${verdicts} ${mutant.name}${redTest && `\n    red: ${redTest}`}`)
  }
  const bySimulation = simulates ? `, ${counts.simulation} by the simulation` : ''
  if (chosen.length > 0) console.log(`${name}: of ${chosen.length} bugs, ${counts.any} were caught${bySimulation}`)
  return chosen.length - counts.any <= mayMiss
}

function read(args: string[]): Options | undefined {
  try {
    const { values } = parseArgs({
      args,
      options: {
        group: { type: 'string' },
        only: { type: 'string', default: '' },
        seeds: { type: 'string', default: '60' },
        seconds: { type: 'string', default: '240' },
        'skip-tests': { type: 'boolean', default: false },
      },
    })
    const { group, only, seeds } = values
    const seconds = Number(values.seconds)
    if (!(seconds > 0) || !/^[1-9]\d*$/u.test(seeds)) return undefined
    if (group !== undefined && !Object.hasOwn(GROUPS, group)) return undefined
    return { group, only, seeds, seconds, skipsTests: values['skip-tests'] }
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
  // Checks of the repository ask git which files there are.
  execFileSync('git', ['init', '--quiet'], { cwd: copy })
  execFileSync('git', ['add', '--all'], { cwd: copy })
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

/** Only a test that ran and failed has noticed a bug: a file that cannot be loaded fails with any bug. */
async function runTests(copy: string, { tests }: Mutant, { seconds }: Options): Promise<Omit<Noticed, 'simulation'>> {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const reporting = ['--bail=1', '--reporter=json', `--outputFile=${report}`]
  const program = join('node_modules', 'vitest', 'vitest.mjs')
  const verdict = await verdictOf(copy, [program, 'run', ...reporting, ...tests], seconds)
  if (verdict !== 'caught') return { tests: verdict, redTest: '' }
  const redTest = existsSync(report) ? redTestOf(JSON.parse(readFileSync(report, 'utf8')) as Report) : undefined
  return redTest === undefined ? { tests: 'broken', redTest: '' } : { tests: 'caught', redTest }
}

type Report = { testResults: { assertionResults: { status: string; fullName: string }[] }[] }

function redTestOf({ testResults }: Report): string | undefined {
  return testResults.flatMap((file) => file.assertionResults).find(({ status }) => status === 'failed')?.fullName
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
