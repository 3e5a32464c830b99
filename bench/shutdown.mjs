// Ends the server with SIGTERM again and again while clients send short requests over new and kept connections, and counts
// the requests that a client sent on a connection that the kernel had accepted, and that got no whole reply. `--connections
// 10000` says how many connections, `--lead 0` how long the server announces its end, in seconds.
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { atMost, ms, report } from './measure/report.mjs'
import { median } from './measure/rounds.mjs'
import { startProgram } from './setup/program.mjs'

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '10000' },
    ends: { type: 'string', default: '30' },
    lead: { type: 'string', default: '0' },
  },
})
/** Clients that open a connection for each request, and clients that keep theirs. */
const CLIENTS = { fresh: 24, kept: 48 }
/** Clients that keep a connection wait up to this long between two requests. */
const LONGEST_THOUGHT_MS = 300
const LOAD_MS = 300
const PATHS = ['/healthz', '/readyz', '/config.json', '/api/watchlists', '/login']

const dataDir = await mkdtemp(join(tmpdir(), 'marquee-shutdown-'))
const seen = { connections: 0, replies: 0, refused: 0, lost: new Map() }
const durations = []
let ends = 0
try {
  while (seen.connections < Number(values.connections) || ends < Number(values.ends)) {
    await endUnderLoad()
    ends += 1
  }
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
for (const [how, times] of seen.lost) console.log(`${how}: ${times}`)
const lost = [...seen.lost.values()].reduce((sum, times) => sum + times, 0)
report('time from SIGTERM to the end of the process', ms(median(durations)))
report(
  `replies lost in ${ends} ends, of ${seen.connections.toLocaleString('en')} connections and ${seen.replies.toLocaleString('en')} replies`,
  String(lost),
  atMost(lost, 0),
)
if (lost > 0) process.exitCode = 1

async function endUnderLoad() {
  const program = await startProgram({ DATA_DIR: dataDir, SHUTDOWN_LEAD: values.lead })
  const load = { port: program.port, isOver: false }
  const clients = [
    ...Array.from({ length: CLIENTS.fresh }, () => fresh(load)),
    ...Array.from({ length: CLIENTS.kept }, () => kept(load)),
  ]
  await pause(LOAD_MS + Math.random() * LOAD_MS)
  const begin = performance.now()
  await program.stop()
  durations.push(performance.now() - begin)
  load.isOver = true
  await Promise.all(clients)
}

/** Sends each request on a connection of its own. */
async function fresh(load) {
  while (!load.isOver) {
    const connection = await open(load)
    if (!connection) return
    await connection.ask()
    connection.leave()
  }
}

/** Sends requests on one connection until the server ends it, and then on another. */
async function kept(load) {
  while (!load.isOver) {
    const connection = await open(load)
    if (!connection) return
    do await pause(Math.random() * LONGEST_THOUGHT_MS)
    while (!load.isOver && (await connection.ask()))
    connection.leave()
  }
}

/** Undefined if the connection was refused, or not accepted before the server ended. */
async function open({ port }) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const state = { text: '', isOver: false, failure: 'ended', wake: undefined }
  socket.setEncoding('latin1')
  socket.on('data', (text) => {
    state.text += text
    state.wake?.()
  })
  socket.on('error', (error) => void (state.failure = error.code))
  for (const event of ['end', 'close']) {
    socket.on(event, () => {
      state.isOver = true
      state.wake?.()
    })
  }
  const connected = await new Promise((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('close', () => resolve(false))
  })
  if (!connected) {
    seen.refused += 1
    return undefined
  }
  seen.connections += 1
  return { ask: async () => await ask(socket, state), leave: () => socket.destroy() }
}

/** Sends one request. Returns whether another may follow. */
async function ask(socket, state) {
  if (state.isOver) return false
  const path = PATHS[Math.floor(Math.random() * PATHS.length)]
  state.text = ''
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
  for (;;) {
    const reply = wholeReply(state.text)
    if (reply) {
      seen.replies += 1
      return reply.isKept
    }
    if (state.isOver) {
      const how = `${state.failure}, ${state.text === '' ? 'no reply' : 'a cut reply'}`
      seen.lost.set(how, (seen.lost.get(how) ?? 0) + 1)
      return false
    }
    await new Promise((resolve) => void (state.wake = resolve))
  }
}

function wholeReply(text) {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = text.slice(0, headEnd).toLowerCase()
  const length = /^content-length: (\d+)$/mu.exec(head)?.[1]
  const isWhole = length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= headEnd + 4 + Number(length)
  return isWhole ? { isKept: !/^connection: close$/mu.test(head) } : undefined
}
