import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

import { ownerOf, watchlistIds } from '../setup/rows.mjs'
import { PLACES } from '../setup/sizes.mjs'
import { median } from './rounds.mjs'
import { ms, report } from './report.mjs'

const PER_PERSON = 30
const REVEALS = 9

/**
 * Opens this many event streams in another process. `nextEvent` resolves with the time at which all have received the next
 * event of this kind.
 */
export async function openStreams({ port }, { path, tokens, count, kind }) {
  const child = fork(join(import.meta.dirname, '../load/listeners.mjs'))
  child.send({ port, path, tokens, count, kind })
  await once(child, 'message')
  return {
    nextEvent: async () => {
      const [{ lastAt }] = await once(child, 'message')
      return lastAt
    },
    close: async () => {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/**
 * Many open event streams on one process: how much it grows by each, with the garbage of opening them, and the time until a
 * reveal has reached all.
 */
export async function measureStreams({ program, sizes, people, tokens, streams: count }) {
  const id = watchlistIds(sizes)[PLACES.bigBox]
  const before = await program.memory()
  const holders = people.slice(0, Math.ceil(count / PER_PERSON)).map(({ userId }) => tokens.get(userId))
  const path = `/api/watchlists/${id}/events`
  const streams = await openStreams(program, { path, tokens: holders, count, kind: 'card-revealed' })
  try {
    await pause(1000)
    const each = ((await program.memory()) - before) / count
    report(
      `growth of the process by each open event stream, of ${count.toLocaleString('en')}`,
      `${(each / 1000).toFixed(1)} kB`,
    )
    const times = []
    for (let n = 0; n < REVEALS; n += 1) {
      const heard = streams.nextEvent()
      const token = tokens.get(ownerOf(people, PLACES.bigBox).userId)
      const begin = performance.timeOrigin + performance.now()
      const reply = await fetch(`${program.url}/api/watchlists/${id}/cards/reveal`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
      await reply.arrayBuffer()
      times.push((await heard) - begin)
    }
    report(`time until a reveal has reached all ${count.toLocaleString('en')} streams`, `${ms(median(times))}`)
  } finally {
    await streams.close()
  }
}
