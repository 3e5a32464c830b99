import { sha256 } from '../srp/group.ts'
import { uuidBytes, uuidText } from '../tokens/uuid-bytes.ts'

const SECRET_BYTES = 32
const CODE = /^[\w-]{64}$/u

/** How long a code may be on its way (identity.md 2.14). */
export const CODE_LIFETIME_MS = 5 * 60_000

/**
 * An authorization code in parts; to clients it is opaque: base64url of sub (16 bytes) ‖ secret (32). The id is in it so
 * that its row is found by user; the database has only its SHA-256.
 */
export type Code = { sub: string; text: string; hash: Buffer }

export function newCode(sub: string, random: { bytes: (length: number) => Buffer }): Code {
  return assemble(Buffer.concat([uuidBytes(sub), random.bytes(SECRET_BYTES)]))
}

export function readCode(text: string): Code | undefined {
  return CODE.test(text) ? assemble(Buffer.from(text, 'base64url')) : undefined
}

function assemble(bytes: Buffer): Code {
  return { sub: uuidText(bytes.subarray(0, 16)), text: bytes.toString('base64url'), hash: sha256(bytes) }
}
