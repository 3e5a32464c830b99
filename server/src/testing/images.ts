import sharp from 'sharp'

const made = new Map<string, Promise<string>>()

/** A small real PNG as a base64 data URL, as the browser sends it. Those of one size are the same. */
export async function aPng({ width = 8, height = 12 }: { width?: number; height?: number } = {}): Promise<string> {
  const size = `${width} × ${height}`
  const png = made.get(size) ?? encodePng(width, height)
  made.set(size, png)
  return await png
}

async function encodePng(width: number, height: number): Promise<string> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 60 } } })
    .png()
    .toBuffer()
  return `data:image/png;base64,${bytes.toString('base64')}`
}
