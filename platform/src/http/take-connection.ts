import type { ServerResponse } from 'node:http'
import { Socket, type SocketConstructorOpts } from 'node:net'

/** What the types of Node do not show: the connection of the operating system, and that a socket can be made from it. */
type Holder = { _handle: object | null }
type FromHandle = SocketConstructorOpts & { readonly handle: object }

/**
 * Takes the connection of a reply whose head is sent, for a reply that lasts for hours. The new socket holds a fifth of
 * what `node:http` keeps of a connection, its parser and the request. For them the connection is closed: the response
 * emits `close`.
 * @returns undefined if `node:http` still has something to send: the head, or the reply before this one.
 */
export function takeConnection({ socket }: ServerResponse): Socket | undefined {
  if (!socket || socket.writableLength > 0) return undefined
  const holder = socket as unknown as Holder
  const handle = holder._handle
  if (!handle) return undefined
  holder._handle = null
  const taken = new Socket({ handle } as FromHandle)
  socket.destroy()
  return taken
}
