import { existsSync } from 'node:fs'
import { join } from 'node:path'

import type { Database } from '@marquee/platform/database/database'
import { OPERATOR_SILENCE_MS, reachPostgres } from '@marquee/platform/database/open'
import { readPostgresUrl } from '@marquee/platform/database/postgres-url'
import type { BlobStore } from '@marquee/platform/storage/blob-store'

import { moveInstance } from '../move/move-instance.ts'
import { openSource, requireSource, type Source } from '../move/source-store.ts'
import { whileOnlyMove } from '../move/target-store.ts'
import { whileLocked } from '../data-dir.ts'
import { OPERATOR_CALL_MS, openImageStore } from '../image-store.ts'
import { masterKeyFile } from '../master-keys.ts'
import type { Settings } from '../settings/settings.ts'
import { type Command, Misuse, readOptions } from './command.ts'

const CELLS = 24
const BETWEEN_MS = 100

/** Moves an embedded instance to PostgreSQL. */
export const move: Command = {
  usage: 'move --to postgres://USER:PASSWORD@HOST/DATABASE',
  summary:
    'Copies the stopped embedded instance in DATA_DIR to an empty PostgreSQL database and compares every row; images to the bucket of S3_BUCKET, where that is set.',
  run: async (args, settings) => {
    const to = readTarget(args)
    if (settings.DATABASE_URL !== undefined)
      throw new Misuse('DATABASE_URL is set: a move starts from the embedded database.')
    const path = join(settings.DATA_DIR, 'marquee.db')
    requireSource(path)
    await whileLocked(settings.DATA_DIR, 'a move', async () => {
      await withTarget(to, async (target) => await moveTo(target, openSource(path), settings))
    })
  },
}

/** Opens the target and keeps other moves into it out. */
async function withTarget(to: string, work: (target: Database<unknown>) => Promise<void>): Promise<void> {
  const reach = async (): Promise<Database<unknown>> =>
    await reachPostgres(to, {
      onIdleError: (error) => {
        console.error(error.message)
      },
      silenceMs: OPERATOR_SILENCE_MS,
    })
  const [guard, target] = [await reach(), await reach()]
  try {
    await whileOnlyMove(guard, async () => await work(target))
  } finally {
    await Promise.all([target.close(), guard.close()])
  }
}

async function moveTo(target: Database<unknown>, source: Source, settings: Settings): Promise<void> {
  try {
    const draw = progressBar(process.stderr)
    const { rows, images } = await moveInstance(
      { source, target },
      {
        images: await imagesToMove(settings),
        report: ({ doing, what, done, of }) => {
          draw({ title: `${doing} ${what}`, done, of })
        },
      },
    )
    const what = `${rows.toLocaleString('en')} rows${images > 0 ? ` and ${images.toLocaleString('en')} images` : ''}`
    console.log(`All ${what} are there and the same.\n${whatNext(settings)}`)
  } finally {
    source.close()
  }
}

function readTarget(args: readonly string[]): string {
  const { to } = readOptions(args, { options: { to: { type: 'string' } } }).values
  if (to !== undefined && readPostgresUrl(to)) return to
  throw new Misuse('Say where to: --to and a postgres:// address.')
}

/** Images move to the bucket of the settings, if one is set; otherwise they stay in their folder. */
async function imagesToMove(settings: Settings): Promise<{ from: BlobStore; to: BlobStore } | undefined> {
  // Those of a restored backup may be in the bucket already.
  if (settings.S3_BUCKET === undefined || !existsSync(join(settings.DATA_DIR, 'images'))) return undefined
  const { blobs: from } = await openImageStore({ ...settings, S3_BUCKET: undefined })
  const { blobs: to } = await openImageStore(settings, { callMs: OPERATOR_CALL_MS })
  return { from, to }
}

function whatNext(settings: Settings): string {
  const { DATA_DIR: dataDir, S3_BUCKET } = settings
  const keyFile = masterKeyFile(settings)
  return [
    'Now start every process with DATABASE_URL set to that address and with the same master key:',
    keyFile === undefined
      ? '  MASTER_KEY as it was set for this move'
      : `  MASTER_KEY_FILE=${keyFile} (or its content in MASTER_KEY)`,
    S3_BUCKET === undefined
      ? `Images stay in ${join(dataDir, 'images')}: every process needs that folder, or move them too with S3_BUCKET set.`
      : 'Set the S3_* of this move as well.',
    `Nothing in ${dataDir} was changed. Keep it until you are sure; never start an embedded instance on it again.`,
  ].join('\n')
}

/** Shows progress: a bar on a terminal, otherwise a line at the end of each step. */
function progressBar(out: NodeJS.WriteStream): (step: { title: string; done: number; of: number }) => void {
  let drawnAt = 0
  return ({ title, done, of }) => {
    const isDone = done >= of
    if (!isDone && (!out.isTTY || performance.now() - drawnAt < BETWEEN_MS)) return
    drawnAt = performance.now()
    const share = of === 0 ? 1 : Math.min(1, done / of)
    const full = Math.round(share * CELLS)
    const bar = `${'█'.repeat(full)}${'░'.repeat(CELLS - full)}`
    const numbers = `${done.toLocaleString('en')} of ${of.toLocaleString('en')}`
    out.write(out.isTTY ? `\r\u001B[K${bar} ${title}: ${numbers}${isDone ? '\n' : ''}` : `${title}: ${numbers}\n`)
  }
}
