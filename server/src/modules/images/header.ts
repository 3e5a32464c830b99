import { MAX_IMAGE_PIXELS } from '@marquee/contract/limits'

export type ImageHeader = {
  readonly type: 'jpeg' | 'png' | 'gif' | 'webp'
  readonly width: number
  readonly height: number
}

/** No image of these types is shorter, and every field below but those of a JPEG lies within. */
const SHORTEST = 30

/**
 * The type and size that the first bytes of an image declare; undefined for every other type. No decoder is involved, so
 * it is safe for bytes from strangers, and takes no more than one pass over them.
 */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < SHORTEST) return undefined
  const head = bytes.toString('latin1', 0, SHORTEST)
  if (head.startsWith('\xFF\xD8\xFF')) return jpegHeader(bytes)
  if (head.startsWith('\x89PNG\r\n\x1A\n') && head.startsWith('IHDR', 12)) {
    return { type: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  }
  if (/^GIF8[79]a/u.test(head)) return { type: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return webpHeader(bytes, head.slice(12, 16))
  return undefined
}

/** Whether a decoder may see these bytes: an image of a type we accept that declares a size we accept. */
export function isAcceptable(bytes: Buffer): boolean {
  const header = readImageHeader(bytes)
  if (!header) return false
  const pixels = header.width * header.height
  return pixels > 0 && pixels <= MAX_IMAGE_PIXELS
}

/** Walks over the segments in front of the frame header, which may be long: metadata and colour profiles. */
function jpegHeader(bytes: Buffer): ImageHeader | undefined {
  let at = 2
  for (;;) {
    at = bytes.indexOf(0xff, at)
    if (at === -1) return undefined
    // Any number of fill bytes may precede a marker.
    while (bytes[at] === 0xff) at += 1
    const marker = bytes[at] ?? END_OF_IMAGE
    at += 1
    if (marker === END_OF_IMAGE || marker === START_OF_SCAN) return undefined
    if (marker < FIRST_WITH_LENGTH || (marker >= 0xd0 && marker <= 0xd8)) continue
    if (at + 7 > bytes.length) return undefined
    if (isFrameHeader(marker)) {
      return { type: 'jpeg', width: bytes.readUInt16BE(at + 5), height: bytes.readUInt16BE(at + 3) }
    }
    at += bytes.readUInt16BE(at)
  }
}

const FIRST_WITH_LENGTH = 0xc0
const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda

/** SOF0 to SOF15, between which three markers for tables lie. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function webpHeader(bytes: Buffer, chunk: string): ImageHeader | undefined {
  const type = 'webp'
  switch (chunk) {
    case 'VP8 ':
      return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21)
      return { type, width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}
