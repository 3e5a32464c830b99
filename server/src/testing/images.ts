import sharp from 'sharp'

/** A small real PNG as a base64 data URL, as the browser sends it. */
export async function aPng({ width = 8, height = 12 }: { width?: number; height?: number } = {}): Promise<string> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 60 } } })
    .png()
    .toBuffer()
  return `data:image/png;base64,${bytes.toString('base64')}`
}
