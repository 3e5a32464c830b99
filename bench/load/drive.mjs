import { once } from 'node:events'
import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const LENGTH = /\r\ncontent-length: (\d+)/iu

/**
 * Sends requests on several connections for some seconds, one after the other on each connection. Returns the replies per
 * second and their durations in milliseconds. Requests are complete texts, used in turn. A reply with a status other than
 * `status` is an error. It parses as little HTTP as possible, so that it does not influence the measurement.
 */
export async function drive({ port, connections, seconds, requests, status }) {
  const texts = requests.map((text) => Buffer.from(text))
  const times = []
  const expected = `HTTP/1.1 ${status}`
  let next = 0
  const begin = performance.now()
  const end = begin + seconds * 1000

  async function ask() {
    const socket = connect(port, '127.0.0.1').setNoDelay(true)
    await once(socket, 'connect')
    await new Promise((resolve, reject) => {
      let kept
      let asked
      const send = () => {
        asked = performance.now()
        socket.write(texts[next % texts.length])
        next += 1
      }
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('The connection was closed')))
      socket.on('data', (chunk) => {
        kept = kept ? Buffer.concat([kept, chunk]) : chunk
        const head = kept.indexOf(END_OF_HEAD)
        if (head === -1) return
        const text = kept.latin1Slice(0, head)
        const length = Number(LENGTH.exec(text)?.[1] ?? 0)
        if (kept.length < head + 4 + length) return
        const now = performance.now()
        if (!text.startsWith(expected))
          return reject(new Error(`${text.split('\r\n')[0]}: ${kept.toString('utf8', head + 4)}`))
        kept = undefined
        times.push(now - asked)
        if (now < end) send()
        else resolve()
      })
      send()
    }).finally(() => socket.destroy())
  }

  await Promise.all(Array.from({ length: connections }, ask))
  const elapsed = performance.now() - begin
  times.sort((a, b) => a - b)
  const quantile = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))]
  return { perSecond: (times.length * 1000) / elapsed, p50: quantile(0.5), p99: quantile(0.99), count: times.length }
}
