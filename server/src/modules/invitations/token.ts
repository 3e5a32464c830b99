import { createHash } from 'node:crypto'

import type { Random } from '@marquee/platform/runtime/random'

const TOKEN_BYTES = 32

/** 256 random bits, as they stand in the link. */
export function newToken(random: Random): string {
  return random.bytes(TOKEN_BYTES).toString('base64url')
}

/** What is kept of a token. It has so many random bits that a plain hash cannot be undone. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
