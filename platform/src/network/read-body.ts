import type { IncomingMessage } from 'node:http'

import { RefusedUrl } from './refused-url.ts'

const FIRST_CAPACITY = 64 * 1024

/**
 * Reads a body of at most `maxBytes` bytes. Bytes are copied into one growing buffer, because a list of chunks would take
 * a hundred times the memory if the body comes byte by byte.
 * @throws {RefusedUrl} `encoding` for a compressed body, `size` for one that is, or declares to be, too large
 * @throws {Error} if the body ends before its declared length
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  refuseEncoding(response)
  const declared = Number(response.headers['content-length'] ?? 0)
  if (declared > maxBytes) throw new RefusedUrl('size', `${declared} bytes declared, ${maxBytes} allowed`)

  let bytes = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(declared, FIRST_CAPACITY)))
  let length = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    const next = length + piece.length
    if (next > maxBytes) throw new RefusedUrl('size', `more than ${maxBytes} bytes`)
    if (next > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(next, bytes.length * 2)))
      bytes.copy(larger, 0, 0, length)
      bytes = larger
    }
    piece.copy(bytes, length)
    length = next
  }
  return bytes.subarray(0, length)
}

/** Nothing is decompressed, so that a small body cannot become a large one. */
function refuseEncoding(response: IncomingMessage): void {
  const content = response.headers['content-encoding']?.trim().toLowerCase() ?? ''
  const transfer = response.headers['transfer-encoding']?.trim().toLowerCase() ?? ''
  if (content !== '' && content !== 'identity') throw new RefusedUrl('encoding', content)
  if (transfer !== '' && transfer !== 'chunked') throw new RefusedUrl('encoding', transfer)
}
