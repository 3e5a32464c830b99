import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

import { ownerOf, watchlistIds } from '../setup/rows.mjs'
import { PLACES } from '../setup/sizes.mjs'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { median } from './rounds.mjs'
import { ms, report } from './report.mjs'

const PER_PERSON = 30
const REVEALS = 9

/** Many open event streams on one process: the memory of each, and the time until a reveal has reached all. */
export async function measureStreams({ program, sizes, people, tokens, streams }) {
  const id = watchlistIds(sizes)[PLACES.bigBox]
  const before = await program.memory()
  const child = fork(join(import.meta.dirname, '../load/listeners.mjs'))
  try {
    const holders = people.slice(0, Math.ceil(streams / PER_PERSON)).map(({ userId }) => tokens.get(userId))
    child.send({ port: program.port, path: `/api/watchlists/${id}/events`, tokens: holders, count: streams })
    await once(child, 'message')
    await pause(1000)
    const each = ((await program.memory()) - before) / streams
    report(`memory per open event stream, of ${streams.toLocaleString('en')}`, `${(each / 1000).toFixed(1)} kB`)
    const times = []
    for (let n = 0; n < REVEALS; n += 1) {
      const all = once(child, 'message')
      const token = tokens.get(ownerOf(people, PLACES.bigBox).userId)
      const begin = performance.timeOrigin + performance.now()
      const reply = await fetch(`${program.url}/api/watchlists/${id}/cards/reveal`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
      await reply.arrayBuffer()
      const [{ lastAt }] = await all
      times.push(lastAt - begin)
    }
    report(`time until a reveal has reached all ${streams.toLocaleString('en')} streams`, `${ms(median(times))}`)
  } finally {
    child.disconnect()
    await once(child, 'exit')
  }
}
