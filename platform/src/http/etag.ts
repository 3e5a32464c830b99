import type { FastifyReply, FastifyRequest } from 'fastify'

import { ANSWERED } from './mount.ts'

/** Whether the client sent the version that it has. */
export function holdsVersion(request: FastifyRequest): boolean {
  return request.headers['if-none-match'] !== undefined
}

/** Whether the client sent this version: then answer with `notModified`. */
export function isUnchanged(request: FastifyRequest, version: string): boolean {
  const known = request.headers['if-none-match'] ?? ''
  // Weak comparison (RFC 9110, 13.1.2) ignores the prefix.
  return known.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//u, '') === `"${version}"`)
}

/** Sets the ETag header. */
export function sendVersion(reply: FastifyReply, version: string): void {
  void reply.header('etag', `W/"${version}"`)
}

export async function notModified(reply: FastifyReply): Promise<typeof ANSWERED> {
  await reply.status(304).send()
  return ANSWERED
}
