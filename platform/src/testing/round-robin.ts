import { once } from 'node:events'
import { createServer, request } from 'node:http'

export type RoundRobin = { readonly port: number; stop: () => Promise<void> }

/** A load balancer without any memory: each request goes to the next of these ports of 127.0.0.1. */
export async function startRoundRobin(port: number, targets: readonly number[]): Promise<RoundRobin> {
  let turn = 0
  const front = createServer((incoming, answer) => {
    turn += 1
    const { method, url: path, headers, socket } = incoming
    const onward = request(
      {
        host: '127.0.0.1',
        port: targets[turn % targets.length],
        method,
        path,
        headers: { ...headers, 'x-forwarded-for': socket.remoteAddress ?? '', 'x-forwarded-proto': 'http' },
      },
      (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers)
        answer.flushHeaders()
        reply.pipe(answer)
        reply.on('error', () => answer.destroy())
      },
    )
    onward.on('error', () => {
      if (answer.headersSent) answer.destroy()
      else answer.writeHead(502, { 'content-type': 'application/json' }).end('{}')
    })
    answer.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }).listen(port, '127.0.0.1')
  await once(front, 'listening')
  return {
    port,
    stop: async () => {
      const closed = once(front, 'close')
      front.close()
      front.closeAllConnections()
      await closed
    },
  }
}
