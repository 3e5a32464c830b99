import { systemClock } from '@marquee/platform/runtime/clock'

import { openImageStore } from '../image-store.ts'
import { SWEEP_TIMES } from '../modules/images/regular-sweep.ts'
import { sweepImages } from '../modules/images/sweep.ts'
import { type Command, Misuse } from './command.ts'
import { Refused, REFUSALS, withDatabase } from './with-instance.ts'

/** What the server does every six hours, at once; and what it does not do by itself. */
export const images: Command = {
  usage: 'images sweep [--all]',
  summary: [
    'Moves images that nothing refers to any more to the trash, puts those back that something refers to again, and',
    'deletes what has been in the trash for a week. With --all also where more than a tenth of all images are unused.',
  ].join('\n      '),
  refusals: REFUSALS,
  run: async ([action, ...options], settings) => {
    const all = options.length === 1 && options[0] === '--all'
    if (action !== 'sweep' || (options.length > 0 && !all)) throw new Misuse('Say what to do with the images.')
    await withDatabase(settings, async (database) => {
      const ports = { database, clock: systemClock, ...(await openImageStore(settings)) }
      const { removed, restored, deleted, heldBack } = await sweepImages(ports, { graceMs: SWEEP_TIMES.graceMs, all })
      if (heldBack > 0) {
        throw new Refused(
          `${heldBack} images are unused, more than a tenth of all. If the database is the right one, add --all.`,
        )
      }
      console.log(`${removed} images were moved to the trash, ${restored} put back, ${deleted} deleted from it.`)
    })
  },
}
