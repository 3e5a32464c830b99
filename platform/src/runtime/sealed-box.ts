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

/** The current key first, then earlier ones. */
type Keys = readonly CipherKey[]

/** Seals with the current key, as text for a column. */
export function sealText([key]: Keys, context: string, content: Uint8Array, random: Random): string {
  if (key === undefined) throw new Error('There is no key to seal with')
  return seal(key, context, content, random).toString('base64')
}

/** Opens such a text. Undefined if no known key opens it; `isOld` if an earlier one does. */
export function openText(
  keys: Keys,
  context: string,
  sealed: string,
): { readonly content: Buffer; readonly isOld: boolean } | undefined {
  for (const [n, key] of keys.entries()) {
    const content = open(key, context, Buffer.from(sealed, 'base64'))
    if (content) return { content, isOld: n > 0 }
  }
  return undefined
}
