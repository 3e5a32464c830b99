// Asks for small replies at a steady rate from its own process, and tells its parent how long each took, from the moment
// at which it was due: a server that does not answer delays none of the questions.
import { Agent, request } from 'node:http'
import process from 'node:process'

const EVERY_MS = 10
const agent = new Agent({ keepAlive: true, maxSockets: 256 })

let times = []
let timer

function ask({ port, path, token }, dueAt) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const asked = request({ port, path, headers, agent, host: '127.0.0.1' }, (reply) => {
    reply.resume().on('end', () => times.push(performance.now() - dueAt))
  })
  asked.on('error', (error) => process.send({ error: String(error) })).end()
}

process.on('message', ({ start }) => {
  if (start !== undefined) {
    times = []
    const begin = performance.now()
    let count = 0
    timer = setInterval(() => {
      // A late timer makes up for what it has missed.
      while (begin + count * EVERY_MS <= performance.now()) {
        ask(start[count % start.length], begin + count * EVERY_MS)
        count += 1
      }
    }, EVERY_MS)
    return
  }
  clearInterval(timer)
  // Those that still wait count, too.
  setTimeout(() => {
    times.sort((a, b) => a - b)
    const quantile = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
    process.send({ p50: quantile(0.5), p99: quantile(0.99), max: times.at(-1) ?? 0, count: times.length })
  }, 300)
})
process.on('disconnect', () => process.exit())
