import type { Logger } from '@marquee/platform/runtime/logger'

import { sweepImages, type SweepPorts } from './sweep.ts'

export type SweepTimes = {
  /** How long to wait before the first sweep, in milliseconds: also a process that does not live long sweeps. */
  readonly firstMs: number
  /** How long to wait between two sweeps, in milliseconds. */
  readonly everyMs: number
  /** How old an image must be, in milliseconds: pages that are still open may show one that is not in use any more. */
  readonly graceMs: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
export const SWEEP_TIMES: SweepTimes = { firstMs: 10 * MINUTE_MS, everyMs: 6 * HOUR_MS, graceMs: 24 * HOUR_MS }

/** Sweeps images now and then, one sweep at a time. `stop` waits for the one under way. */
export function startRegularSweep(
  ports: SweepPorts & { readonly logger: Logger },
  { firstMs, everyMs, graceMs }: SweepTimes,
): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isStopped = false

  async function run(): Promise<void> {
    try {
      const removed = await sweepImages(ports, { graceMs })
      if (removed > 0) ports.logger.info({ removed }, 'images that nobody refers to were removed')
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
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
