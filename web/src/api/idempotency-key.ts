const BYTES = 16

/** A new Idempotency-Key of 128 random bits. `crypto.randomUUID` is missing where a page is not served securely. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
