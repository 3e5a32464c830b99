import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** For a machine that is many times slower than usual. */
const LONGEST_STILL_MS = 60_000

/** Runs in the other thread. A connection sends its request once it is connected, or on request. */
const CLIENTS = `
const { connect } = require('node:net')
const { parentPort, workerData } = require('node:worker_threads')
const sockets = []
function open(port, text) {
  const socket = connect({ port, host: '127.0.0.1' })
  let seen = ''
  let outcome
  socket.setEncoding('utf8').on('data', (data) => (seen += data))
  socket.on('error', (error) => (outcome = error.code))
  socket.on('close', () => parentPort.postMessage(outcome ?? seen.split('HTTP/1.1 200 OK').length - 1))
  socket.on('connect', () => {
    if (text) socket.write(text)
    tell()
  })
  sockets.push(socket)
}
function tell() {
  Atomics.add(workerData, 0, 1)
  Atomics.notify(workerData, 0)
}
parentPort.on('message', ({ port, count, text }) => {
  for (let n = 0; n < count; n += 1) open(port, text)
  if (count === 0) for (const socket of sockets) socket.write(text, tell)
})
`

export type ClientThread = {
  /** Opens connections, which send `text` as soon as they are open. */
  open: (port: number, count: number, text: string) => void
  /** Sends `text` on all open connections. */
  send: (text: string) => void
  /** Keeps this thread still until the connections have done `count` things in all, or have done nothing for `longestMs`. */
  standStillUntil: (count: number, longestMs?: number) => void
  /** How each connection ended: the number of replies with status 200, or the code of the error. */
  outcomes: (count: number) => Promise<(number | string)[]>
  stop: () => Promise<void>
}

/** Clients in another thread, which connect and send while the server in this thread cannot do anything. */
export async function startClientThread(): Promise<ClientThread> {
  const done = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(CLIENTS, { eval: true, workerData: done })
  const ended: (number | string)[] = []
  worker.on('message', (outcome: number | string) => ended.push(outcome))
  await once(worker, 'online')
  return {
    open: (port, count, text) => {
      worker.postMessage({ port, count, text })
    },
    send: (text) => {
      worker.postMessage({ count: 0, text })
    },
    standStillUntil: (count, longestMs = LONGEST_STILL_MS) => {
      for (;;) {
        const now = Atomics.load(done, 0)
        if (now >= count || Atomics.wait(done, 0, now, longestMs) === 'timed-out') return
      }
    },
    outcomes: async (count) => {
      while (ended.length < count) await once(worker, 'message')
      return ended
    },
    stop: async () => {
      await worker.terminate()
    },
  }
}
