import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type MovableLine = {
  readonly port: number
  /** New connections go to this port; open connections break. */
  leadTo: (port: number) => void
  /** While this is on, connections stay open and transfer nothing. */
  hold: (isHeld: boolean) => void
  stop: () => Promise<void>
}

/** A fixed port of 127.0.0.1 that forwards to a port that can change. */
export async function startMovableLine(port: number): Promise<MovableLine> {
  let target = port
  let isHeld = false
  const sockets = new Set<Socket>()
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((client) => {
    const onward = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [client, onward],
      [onward, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (!isHeld) to.write(bytes)
      })
      from.on('end', () => to.end())
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The line has no port')
  return {
    port: address.port,
    leadTo: (next) => {
      target = next
      breakAll()
    },
    hold: (held) => {
      isHeld = held
    },
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      breakAll()
      await closed
    },
  }
}
