// Measures the server on one core with 256 MB of memory: its start, 100 open event streams, and its memory. Needs Linux,
// taskset, and the right to make a control group. `MARQUEE_PROGRAM` names setup/small-machine.mjs.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

import { seedWith } from '../e2e/support/seed.ts'
import { startServer } from '../e2e/support/server.ts'
import { atMost, mb, ms, report } from './measure/report.mjs'
import { signInPeople, signUpPeople } from './setup/people.mjs'
import { killsForMemory, peakMemory, removeGroup } from './setup/small-machine.mjs'

const PEOPLE = 4
const STREAMS_EACH = 25
const REVEALS = 20

const begin = performance.now()
const server = await startServer('embedded')
report('start to ready on a small machine', ms(performance.now() - begin))
const children = []
try {
  const { port } = new URL(server.url)
  const tokens = [...(await signInPeople(server.url, await signUpPeople(server.url, server.dataDir, PEOPLE))).values()]
  const lists = await Promise.all(tokens.map(async (token) => await listOf(token)))
  for (const { id, token } of lists) {
    const child = fork(join(import.meta.dirname, 'load/listeners.mjs'))
    children.push(child)
    child.send({
      port,
      path: `/api/watchlists/${id}/events`,
      tokens: [token],
      count: STREAMS_EACH,
      kind: 'card-revealed',
    })
    await once(child, 'message')
  }
  let slowest = 0
  for (let n = 0; n < REVEALS; n += 1) {
    for (const [place, { id, token }] of lists.entries()) {
      const all = once(children[place], 'message')
      const from = performance.timeOrigin + performance.now()
      const reply = await fetch(`${server.url}/api/watchlists/${id}/cards/reveal`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
      if (!reply.ok) throw new Error(`A reveal got ${reply.status}`)
      slowest = Math.max(slowest, (await all)[0].lastAt - from)
    }
  }
  const streams = PEOPLE * STREAMS_EACH
  report(`a reveal reaches the viewers on a small machine, ${streams} open streams, at most`, ms(slowest))
  report('kills for memory on a small machine', String(killsForMemory()), atMost(killsForMemory(), 0))
  report('most memory used on a small machine, with the file cache', mb(peakMemory()))
} finally {
  for (const child of children) child.disconnect()
  await server.stop()
  removeGroup()
}

async function listOf(token) {
  const user = seedWith(server.url, token)
  const { id } = await user.watchlist('Friday film club')
  for (let n = 0; n < REVEALS; n += 1) await user.card(id, { title: `Film ${n}` })
  return { id, token }
}
