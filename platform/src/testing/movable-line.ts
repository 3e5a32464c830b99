import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type MovableLine = {
  readonly port: number
  /** Connections from now on lead there; those that are open break. */
  leadTo: (port: number) => void
  /** While it is held, connections stay open and carry nothing. */
  hold: (isHeld: boolean) => void
  stop: () => Promise<void>
}

/** An address that stays the same while what is behind it changes, both on 127.0.0.1. */
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
