export type ImageType = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif'

const LONGEST_BRAND_LIST = 512

/**
 * What kind of image the first bytes say this is, whatever a name or a content type claims; undefined for all else.
 * SVG is none: it is a document that can run scripts. A signature only says what to try: decoding it is the proof.
 */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, LONGEST_BRAND_LIST)).toString(
    'latin1',
  )
  if (head.startsWith('\xFF\xD8\xFF')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1A\n')) return 'png'
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'gif'
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'webp'
  if (head.startsWith('ftyp', 4) && brandsOf(head).some((brand) => brand === 'avif' || brand === 'avis')) return 'avif'
  return undefined
}

/** The brands of an ISO media file's first box: its size, `ftyp`, the main brand, a version, then four letters each. */
function brandsOf(head: string): string[] {
  const size = Buffer.from(head.slice(0, 4), 'latin1').readUInt32BE()
  const others = head.slice(16, size).match(/.{4}/gsu) ?? []
  return [head.slice(8, 12), ...others]
}
