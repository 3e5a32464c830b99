// Opens many event streams. Notifies its parent when all are open, and whenever all have received an event of a kind.
import { once } from 'node:events'
import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import process from 'node:process'

import { request } from './request.mjs'

const AT_ONCE = 50
const OPEN = Buffer.from(': open')

process.on('message', async ({ port, path, tokens, count, kind }) => {
  const news = `"${kind}"`
  let heard = 0
  const hear = () => {
    heard += 1
    if (heard % count === 0) process.send({ lastAt: performance.timeOrigin + performance.now() })
  }

  async function open(n) {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(request({ path, token: tokens[n % tokens.length] }))
    await new Promise((resolve, reject) => {
      socket.on('close', () => reject(new Error('A stream was closed')))
      socket.on('data', (chunk) => {
        if (chunk.includes(OPEN)) resolve()
        else if (chunk.includes('HTTP/1.1 4') || chunk.includes('HTTP/1.1 5')) reject(new Error(chunk.toString()))
        if (chunk.includes(news)) hear()
      })
    })
  }

  for (let n = 0; n < count; n += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - n) }, (_, index) => open(n + index)))
  }
  process.send({ isOpen: true })
})
process.on('disconnect', () => process.exit())
