import type { FastifyReply, FastifyRequest } from 'fastify'

import { ANSWERED } from './mount.ts'

/** Whether the client sent the version that it has. */
export function holdsVersion(request: FastifyRequest): boolean {
  return request.headers['if-none-match'] !== undefined
}

/** Sets the ETag header. Returns true if the client has this version: then answer with `notModified`. */
export function isUnchanged(request: FastifyRequest, reply: FastifyReply, version: string): boolean {
  const etag = `W/"${version}"`
  void reply.header('etag', etag)
  const known = request.headers['if-none-match']
  if (known === undefined) return false
  // Weak comparison (RFC 9110, 13.1.2) ignores the prefix.
  return known.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//u, '') === `"${version}"`)
}

export async function notModified(reply: FastifyReply): Promise<typeof ANSWERED> {
  await reply.status(304).send()
  return ANSWERED
}
