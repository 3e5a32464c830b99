import { type CipherKey, createCipheriv, createDecipheriv } from 'node:crypto'

import type { Random } from './random.ts'

const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts with AES-256-GCM and a 32-byte key: iv ‖ tag ‖ ciphertext. Decryption needs the same `context`. */
export function seal(key: CipherKey, context: string, content: Uint8Array, random: Random): Buffer {
  const iv = random.bytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(Buffer.from(context, 'utf8'))
  const ciphertext = Buffer.concat([cipher.update(content), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext])
}

/** Decrypts a box. Undefined if it was changed, or made with another key or context. */
export function open(key: CipherKey, context: string, box: Uint8Array): Buffer | undefined {
  if (box.length < IV_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context, 'utf8'))
  decipher.setAuthTag(box.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(box.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}
