import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import { signInPeople } from '../setup/people.mjs'
import { startProgram } from '../setup/program.mjs'
import { ownerOf, watchlistIds } from '../setup/rows.mjs'
import { PLACES } from '../setup/sizes.mjs'
import { atMost, report } from './report.mjs'
import { median } from './rounds.mjs'

const CALLS = 15
const QUIET_MS = 700

/** The round trips to PostgreSQL of a reveal and of a move, of a server that reaches it through a line that counts. */
export async function measureRoundTrips(settings, { sizes, people }) {
  const line = await startLine(settings.DATABASE_URL)
  const program = await startProgram({ ...settings, DATABASE_URL: line.url })
  try {
    const owner = ownerOf(people, PLACES.bigBox)
    const token = (await signInPeople(program.url, [owner])).get(owner.userId)
    const cards = `${program.url}/api/watchlists/${watchlistIds(sizes)[PLACES.bigBox]}/cards`
    const call = async (url, method, body) => {
      await quiet(line)
      const before = line.count()
      const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
      const reply = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      if (!reply.ok) throw new Error(`${method} ${url}: ${reply.status}`)
      return { card: await reply.json(), trips: line.count() - before }
    }
    const trips = { reveal: [], move: [] }
    for (let n = 0; n < CALLS; n += 1) {
      const reveal = await call(`${cards}/reveal`, 'POST')
      const move = await call(`${cards}/${reveal.card.id}/status`, 'PUT', { status: 'WATCHED' })
      trips.reveal.push(reveal.trips)
      trips.move.push(move.trips)
    }
    // The median leaves out the few calls during which the server works in the background.
    for (const [what, counts] of Object.entries(trips)) {
      report(`round trips of a ${what} to PostgreSQL`, String(median(counts)), atMost(median(counts), 2))
    }
  } finally {
    await program.stop()
    line.stop()
  }
}

/** Waits until the notifications of the call before are made. */
async function quiet(line) {
  for (let before = -1; before !== line.count();) {
    before = line.count()
    await pause(QUIET_MS)
  }
}

/** Forwards connections to the database. What leaves before PostgreSQL replies is one round trip. */
async function startLine(databaseUrl) {
  const url = new URL(databaseUrl)
  const [host, port] = [url.hostname, Number(url.port)]
  let trips = 0
  const server = createServer((client) => {
    const onward = connect(port, host)
    let isWaiting = false
    client.on('data', (bytes) => {
      if (!isWaiting) trips += 1
      isWaiting = true
      onward.write(bytes)
    })
    onward.on('data', (bytes) => {
      isWaiting = false
      client.write(bytes)
    })
    for (const [from, to] of [
      [client, onward],
      [onward, client],
    ]) {
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.hostname = '127.0.0.1'
  url.port = String(server.address().port)
  return { url: url.href, count: () => trips, stop: () => server.close() }
}
