import { systemClock } from '@marquee/platform/runtime/clock'
import { Refusal } from '@marquee/platform/runtime/refusal'

import { openImageStore } from '../image-store.ts'
import { SWEEP_TIMES } from '../rooms/movies/images/regular-sweep.ts'
import { sweepImages } from '../rooms/movies/images/sweep.ts'
import { type Command, Misuse } from './command.ts'
import { withDatabase } from './with-instance.ts'

/** Sweeps images now. Only this command can sweep too many. */
export const images: Command = {
  usage: 'images sweep [--all]',
  summary: [
    'Moves unused images to the trash, restores images from the trash that are used again, and deletes images that have',
    'been in the trash for a week. With --all even if more than a tenth of all images are unused.',
  ].join('\n      '),
  run: async ([action, ...options], settings) => {
    const all = options.length === 1 && options[0] === '--all'
    if (action !== 'sweep' || (options.length > 0 && !all))
      throw new Misuse('The only action is sweep, and its only option --all.')
    await withDatabase(settings, async (database) => {
      const ports = { database, clock: systemClock, ...(await openImageStore(settings)) }
      const { removed, restored, deleted, heldBack } = await sweepImages(ports, { graceMs: SWEEP_TIMES.graceMs, all })
      if (heldBack > 0) {
        throw new Refusal(
          `${heldBack} images are unused, more than a tenth of all. If the database is the right one, add --all. ` +
            `Restored from the trash: ${restored}.`,
        )
      }
      console.log(`Images moved to the trash: ${removed}, restored from it: ${restored}, deleted from it: ${deleted}.`)
    })
  },
}
