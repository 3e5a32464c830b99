import type { FastifyReply } from 'fastify'

/** Calls `act` once the reply was sent or its connection has ended; at once if that has happened already. */
export function whenClosed({ raw }: FastifyReply, act: () => void): void {
  if (raw.destroyed) act()
  else raw.once('close', act)
}
