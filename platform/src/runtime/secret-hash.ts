import { createHash } from 'node:crypto'

/** The stored form of a secret that has so many random bits that a plain hash cannot be reversed. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
