import { HOUR_MS, MINUTE_MS } from '@marquee/platform/runtime/durations'
import type { Logger } from '@marquee/platform/runtime/logger'

import { sweepImages, type SweepOptions, type SweepPorts } from './sweep.ts'

export type SweepTimes = Pick<SweepOptions, 'graceMs'> & {
  /** How long to wait before the first sweep, in milliseconds. Short, so that short-lived processes sweep too. */
  readonly firstMs: number
  /** How long to wait between two sweeps, in milliseconds. */
  readonly everyMs: number
}

const TOO_MANY =
  'More than a tenth of all images are unused, so the sweep removed none. If the database is the right one, ' +
  'run `npm run marquee -- images sweep --all`.'

export const SWEEP_TIMES: SweepTimes = { firstMs: 10 * MINUTE_MS, everyMs: 6 * HOUR_MS, graceMs: 24 * HOUR_MS }

export type RegularSweep = {
  /** How many unused images the last sweep did not remove because there were too many. */
  readonly heldBack: () => number
  /** Waits for the running sweep. */
  readonly stop: () => Promise<void>
}

/** Sweeps at regular times, one sweep at a time. */
export function startRegularSweep(
  ports: SweepPorts & { readonly logger: Logger },
  { firstMs, everyMs, graceMs }: SweepTimes,
): RegularSweep {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isStopped = false
  let heldBack = 0

  async function run(): Promise<void> {
    try {
      const swept = await sweepImages(ports, { graceMs })
      heldBack = swept.heldBack
      if (heldBack > 0) ports.logger.warn({ images: heldBack, restored: swept.restored }, TOO_MANY)
      else ports.logger.info(swept, 'unused images were swept')
    } catch (error) {
      ports.logger.error({ err: error }, 'the images could not be swept')
    }
    schedule(everyMs)
  }

  function schedule(delayMs: number): void {
    if (isStopped) return
    timer = setTimeout(() => {
      running = run()
    }, delayMs)
    timer.unref()
  }

  schedule(firstMs)
  return {
    heldBack: () => heldBack,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
