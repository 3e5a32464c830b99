import type { Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import { SECOND_MS } from '@marquee/platform/runtime/durations'
import type { Random } from '@marquee/platform/runtime/random'
import { reasonOf } from '@marquee/platform/runtime/reason-of'
import { Refusal } from '@marquee/platform/runtime/refusal'

import type { Settings } from '../settings/settings.ts'
import { explainStartFailure } from '../start-failure.ts'
import { judgeAddress, visit } from './address.ts'
import { checkDatabase, openToLook, secondsAhead } from './database.ts'
import { type Finding, Found, problem } from './finding.ts'
import { checkBackup, checkDisk, judgeClock } from './machine.ts'
import { checkCatalogue, checkImages, checkMail, checkPush, checkRedis } from './services.ts'

const CHECK_MS = 15 * SECOND_MS
/** The quick check of SQLite reads the whole file. */
const DATABASE_MS = 300 * SECOND_MS

type Ports = { readonly clock: Clock; readonly random: Random }
type Check = (signal: AbortSignal) => Promise<Finding>

/** Runs all checks at once, each with a limit of time. Yields what they find in their order, as soon as it is known. */
export async function* examine(
  settings: Settings,
  { clock, random }: Ports,
): AsyncGenerator<{ name: string; finding: Finding }> {
  let opening: Promise<Database<unknown>> | undefined
  const open = async () => await (opening ??= openToLook(settings))
  const visiting = visit(settings.PUBLIC_URL, clock)
  // It may fail before a check waits for it.
  visiting.catch(() => undefined)
  const checks: [name: string, check: Check, limitMs?: number][] = [
    ['disk', async () => await checkDisk(settings.DATA_DIR)],
    ['database', async (signal) => await checkDatabase(settings, open, signal), DATABASE_MS],
    ['clock', async () => judgeClock(await compareClocks(settings, { open, visiting, clock }))],
    ['images', async () => await checkImages(settings, random)],
    ['redis', async () => await checkRedis(settings)],
    ['mail', async () => await checkMail(settings)],
    ['push', async () => await checkPush(settings, open)],
    ['catalogue', async (signal) => await checkCatalogue(settings, clock, signal)],
    ['backup', async () => await checkBackup(settings, clock)],
    ['address', async () => judgeAddress(settings.PUBLIC_URL, await visiting, clock)],
  ]
  const running = checks.map(([name, check, limitMs = CHECK_MS]) => ({
    name,
    finding: inTime(check, limitMs).catch((error: unknown) => explain(error, settings)),
  }))
  try {
    for (const { name, finding } of running) yield { name, finding: await finding }
  } finally {
    await (await opening?.catch(() => undefined))?.close()
  }
}

/** How many seconds this machine is ahead of the others that tell their time. Those that do not answer are left out. */
async function compareClocks(
  { DATABASE_URL: url }: Settings,
  {
    open,
    visiting,
    clock,
  }: { open: () => Promise<Database<unknown>>; visiting: ReturnType<typeof visit>; clock: Clock },
): Promise<{ of: string; seconds: number }[]> {
  const ahead: { of: string; seconds: number }[] = []
  const [database, visited] = await Promise.allSettled([url === undefined ? undefined : open(), visiting])
  if (database.status === 'fulfilled' && database.value)
    ahead.push({ of: 'the database', seconds: await secondsAhead(database.value, clock) })
  if (visited.status === 'fulfilled' && visited.value && !Number.isNaN(visited.value.date))
    ahead.push({ of: 'PUBLIC_URL', seconds: (visited.value.metAt - visited.value.date) / SECOND_MS })
  return ahead
}

/** A check that does not end in time is left alone: the command ends soon. */
async function inTime(check: Check, limitMs: number): Promise<Finding> {
  const signal = AbortSignal.timeout(limitMs)
  const late = Promise.withResolvers<Finding>()
  signal.addEventListener('abort', () => {
    late.resolve(
      problem(`No answer within ${limitMs / SECOND_MS} seconds. Try again; if it stays so, restart what is silent.`),
    )
  })
  return await Promise.race([check(signal), late.promise])
}

function explain(error: unknown, settings: Settings): Finding {
  if (error instanceof Found) return error.finding
  if (error instanceof Refusal) return problem(error.message)
  return problem(explainStartFailure(error, settings) ?? `This check failed: ${reasonOf(error)}.`)
}
