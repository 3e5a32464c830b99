import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** The first bytes of PostgreSQL's messages. */
const [KEY_DATA, READY, AUTHENTICATION, TERMINATE] = ['K', 'Z', 'R', 'X']
const ACCEPTED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0])

export type ForgetfulPooler = { readonly port: number; stop: () => Promise<void> }

/**
 * A pooler that shares one PostgreSQL connection between its clients and does not support prepared statements, like
 * PgBouncer in transaction mode before version 1.21. The login of the first client opens the connection for all.
 */
export async function startForgetfulPooler(postgresPort: number): Promise<ForgetfulPooler> {
  const upstream = connect(postgresPort, '127.0.0.1')
  const clients = new Set<Socket>()
  let current: Socket | undefined
  let greeting = ACCEPTED
  let isOpen = false

  /** Passes the replies to the first login on, and keeps them to greet further clients. */
  function greet(message: Buffer): void {
    const type = String.fromCharCode(message[0] ?? 0)
    // A backend number that the pooler invents.
    if (type === KEY_DATA) message.writeInt32BE(1, 5)
    if (type !== AUTHENTICATION) greeting = Buffer.concat([greeting, message])
    if (type === READY) isOpen = true
    current?.write(message)
  }
  let rest = Buffer.alloc(0)
  upstream.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data])
    while (!isOpen && rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1
      greet(rest.subarray(0, end))
      rest = rest.subarray(end)
    }
    if (!isOpen) return
    current?.write(rest)
    rest = Buffer.alloc(0)
  })

  const server = createServer((client) => {
    clients.add(client)
    let isGreeted = !isOpen
    client.on('error', () => undefined)
    client.on('data', (data: Buffer) => {
      current = client
      if (!isGreeted) {
        isGreeted = true
        client.write(greeting)
      } else if (String.fromCharCode(data[0] ?? 0) !== TERMINATE) upstream.write(data)
      else client.end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The pooler has no port')
  return {
    port: address.port,
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of [...clients, upstream]) socket.destroy()
      await closed
    },
  }
}
