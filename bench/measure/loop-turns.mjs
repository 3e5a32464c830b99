// Loaded into a server that is measured: tells how much processor time the turns of its event loop take. A turn is what runs
// between two moments at which a request could begin. Processor time leaves out how long the process waited for a processor
// that others used. GET tells it and starts over.
import { createServer } from 'node:http'
import process from 'node:process'

const EVERY_MS = 2

let longest = 0
let total = 0
let before = threadMs()

setInterval(() => {
  const now = threadMs()
  longest = Math.max(longest, now - before)
  total += now - before
  before = now
}, EVERY_MS).unref()

createServer((_request, reply) => {
  reply.end(JSON.stringify({ longest, total }))
  longest = 0
  total = 0
})
  .listen(Number(process.env.LOOP_TURNS_PORT), '127.0.0.1')
  .unref()

function threadMs() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
