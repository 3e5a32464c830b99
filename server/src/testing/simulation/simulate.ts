import { nextTurn } from '@marquee/platform/runtime/turns'

import { audit } from './audit.ts'
import { seededChance, seededRandom } from './chance.ts'
import { startClients } from './clients.ts'
import { count, drawFaults, type Tally } from './faults.ts'
import type { Place } from './place.ts'
import { ALONE, EVENINGS, EVERY_DAY, IMPORTS, VOTES } from './requests.ts'

const CLIENTS = 4
const REQUESTS_EACH = 10

/** Each seed has one of these. What takes several steps is rare where everything is done. */
const WEIGHTS = [EVENINGS, EVERY_DAY, VOTES, ALONE, EVENINGS, IMPORTS]

/** Independent random streams, so that another fault does not change the requests. */
const STREAMS = { requests: 0, faults: 1, program: 2, keys: 3 }

/** Runs one seed and returns the findings, a sentence each. */
export async function runSeed(place: Place, seed: number, tally: Tally = new Map()): Promise<string[]> {
  const faults = drawFaults(seededChance(seed, STREAMS.faults), tally)
  const run = await place.begin({ faults, random: seededRandom(seededChance(seed, STREAMS.program)) })
  const keys = seededRandom(seededChance(seed, STREAMS.keys))
  try {
    const { journal, askOnce } = startClients({
      instance: run,
      chance: seededChance(seed, STREAMS.requests),
      newKey: keys.uuid,
      watchlistId: run.watchlistId,
      people: run.people,
      openNightId: run.openNightId,
      media: run.media,
      weights: WEIGHTS[seed % WEIGHTS.length] ?? EVERY_DAY,
      // A client that has to try again does not hold up the requests that it waits for.
      beforeRetry: nextTurn,
    })
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let n = 0; n < REQUESTS_EACH; n += 1) await askOnce()
      }),
    )
    faults.stop()
    for (const { request, attempts } of journal) {
      if (attempts.some(({ answer }) => answer && answer.status < 300)) count(tally, `${request.kind} succeeds`)
    }
    return audit({ journal, ...(await run.evidence()) })
  } finally {
    faults.stop()
    await run.end()
  }
}
