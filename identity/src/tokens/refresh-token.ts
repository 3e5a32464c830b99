import { createHmac } from 'node:crypto'

import type { Random } from '@marquee/platform/runtime/random'

import type { Keyring } from '../sealed/keyring.ts'
import { sha256 } from '../srp/group.ts'
import { uuidBytes, uuidText } from './uuid-bytes.ts'

const SECRET_BYTES = 48
const TOKEN = /^[A-Za-z0-9_-]{107}$/u

/**
 * A refresh token in parts. To clients it is opaque: base64url of sub (16 bytes) ‖ origin_jti (16) ‖ secret (48). The
 * ids are in it so that its row is found by user and session; the database has only its SHA-256.
 */
export type RefreshToken = { sub: string; originJti: string; text: string; hash: Buffer }

export function newRefreshToken(session: { sub: string; originJti: string }, random: Random): RefreshToken {
  return assemble(session, random.bytes(SECRET_BYTES))
}

export function readRefreshToken(text: string): RefreshToken | undefined {
  if (!TOKEN.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  const token = assemble(
    { sub: uuidText(bytes.subarray(0, 16)), originJti: uuidText(bytes.subarray(16, 32)) },
    bytes.subarray(32),
  )
  return token.text === text ? token : undefined
}

/**
 * The token that follows this one when it is rotated. It can be made again from the old token (and the master key)
 * alone, so two tabs that refresh at the same moment get one and the same, and neither later looks like a thief
 * (identity.md 5.4 asks for a grace; Amazon's, which replaces the newest child, would sign the slower tab out).
 */
export function successorOf(token: RefreshToken, keyring: Keyring): RefreshToken {
  const mac = createHmac('sha384', keyring.current('refresh-rotation')).update(token.text, 'utf8').digest()
  return assemble(token, mac)
}

function assemble({ sub, originJti }: { sub: string; originJti: string }, secret: Uint8Array): RefreshToken {
  const bytes = Buffer.concat([uuidBytes(sub), uuidBytes(originJti), secret])
  return { sub, originJti, text: bytes.toString('base64url'), hash: sha256(bytes) }
}
