const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 base32 without padding, as authenticator apps take secrets. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let buffer = 0
  let bits = 0
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += ALPHABET.charAt((buffer >> (bits - 5)) & 31)
    buffer &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + ALPHABET.charAt((buffer << (5 - bits)) & 31)
}
