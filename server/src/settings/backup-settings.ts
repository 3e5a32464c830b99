import { z } from 'zod'

import { DAY_MS, HOUR_MS } from '@marquee/platform/runtime/durations'

const MOST_KEPT = 1000
const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: DAY_MS }

/** The settings of scheduled backups. */
export const BACKUP_SETTINGS = {
  BACKUP_EVERY: z
    .string()
    .regex(/^[1-9]\d{0,2}[hd]$/u, 'Must be a number of hours or days, such as 6h or 1d')
    .transform((text) => Number(text.slice(0, -1)) * (UNITS[text.slice(-1)] ?? 0))
    .optional()
    .describe(
      'How often the embedded instance is [backed up](operating.md#scheduled-backups) to `DATA_DIR/backups`, such as `6h` or `1d`. Without it there are no scheduled backups. Not with `DATABASE_URL` or `S3_BUCKET`.',
    ),
  BACKUP_KEEP: z
    .string()
    .regex(/^\d+$/u, 'Must be a whole number')
    .transform(Number)
    .pipe(z.number().min(1).max(MOST_KEPT))
    .prefault('7')
    .describe('How many scheduled backups are kept. The oldest is removed when a newer one is verified.'),
}

type BackupSettings = z.output<z.ZodObject<typeof BACKUP_SETTINGS>>

/** PostgreSQL and buckets have better tools of their own. */
export function refuseBackupOfServices(
  { BACKUP_EVERY, DATABASE_URL, S3_BUCKET }: BackupSettings & { DATABASE_URL?: unknown; S3_BUCKET?: unknown },
  context: z.core.$RefinementCtx<unknown>,
): void {
  if (BACKUP_EVERY === undefined || (DATABASE_URL === undefined && S3_BUCKET === undefined)) return
  const message =
    DATABASE_URL === undefined
      ? 'Is not for images in a bucket: back up database and bucket as docs/operating.md says'
      : 'Is for the embedded database: back up PostgreSQL with its own tools (docs/operating.md)'
  context.addIssue({ code: 'custom', path: ['BACKUP_EVERY'], message })
}
