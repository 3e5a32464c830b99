/** The browser cannot draw this file. */
export class UndrawableImage extends Error {
  override readonly name = 'UndrawableImage'
}

/** Twice the largest stored size. */
const LARGEST = { width: 1280, height: 2560 }
/** For a drawing without a size. */
const USUAL = { width: 640, height: 960 }
const QUALITY = 0.92

/** The first bytes of types that the server decodes: JPEG, PNG, GIF, WebP. Names and media types can be wrong. */
const SIGNATURES = [/^\u00FF\u00D8\u00FF/u, /^\u0089PNG\r\n/u, /^GIF8/u, /^RIFF.{4}WEBP/su]

/**
 * An image as a base64 data URL for the server. If only the browser can decode its type, or it has too many pixels for the
 * server, it is converted to WebP. Rejects if the file cannot be read.
 * @throws {UndrawableImage}
 */
export async function readImage(file: Blob, maxPixels: number): Promise<string> {
  const isSent = (await isTaken(file)) && !(await hasMorePixels(file, maxPixels))
  return readDataUrl(isSent ? file : await drawAsWebp(file))
}

async function isTaken(file: Blob): Promise<boolean> {
  const head = String.fromCodePoint(...new Uint8Array(await file.slice(0, 12).arrayBuffer()))
  return SIGNATURES.some((signature) => signature.test(head))
}

/** Without the code that knows, an image counts as one that has: a drawing is always taken. */
async function hasMorePixels(file: Blob, maxPixels: number): Promise<boolean> {
  const reader = await import('image-dimensions').catch(() => undefined)
  if (reader === undefined) return true
  const size = reader.imageDimensionsFromData(new Uint8Array(await file.arrayBuffer()))
  return size !== undefined && size.width * size.height > maxPixels
}

async function drawAsWebp(file: Blob): Promise<Blob> {
  const url = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const width = image.naturalWidth || USUAL.width
    const height = image.naturalHeight || USUAL.height
    const scale = Math.min(1, LARGEST.width / width, LARGEST.height / height)
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(width * scale))
    canvas.height = Math.max(1, Math.round(height * scale))
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    const drawn = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/webp', QUALITY)
    })
    if (drawn === null) throw new Error('The canvas has no image')
    return drawn
  } catch (cause) {
    throw new UndrawableImage('The browser cannot draw this file', { cause })
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** A file as a base64 data URL. Rejects if it cannot be read. */
export async function readDataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read')))
    reader.readAsDataURL(file)
  })
}
