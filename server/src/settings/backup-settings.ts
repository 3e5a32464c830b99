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
      'How often the instance is [backed up](operating.md#scheduled-backups), such as `6h` or `1d`: to the bucket of `S3_BUCKET`, or without one to `DATA_DIR/backups`. Without it there are no scheduled backups. All processes have the same value.',
    ),
  BACKUP_KEEP: z
    .string()
    .regex(/^\d+$/u, 'Must be a whole number')
    .transform(Number)
    .pipe(z.number().min(1).max(MOST_KEPT))
    .prefault('7')
    .describe('How many scheduled backups are kept. The oldest is removed when a newer one is verified.'),
}
