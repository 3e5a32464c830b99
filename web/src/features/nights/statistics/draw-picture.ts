import type { MovieInStatistics } from '@marquee/contract/entities/statistics'

import { TITLE_COLOR, titleColors } from '#web/ui/title-poster.tsx'

import { columnsOf, type YearPicture } from './year-pictures.ts'

const WIDTH = 1080
const HEIGHT = 1350
const EDGE = 84
const GAP = 20
/** Where the posters end. */
const FLOOR = HEIGHT - 130

type Look = { canvas: string; text: string; muted: string; accent: string; display: string; sans: string }

/** Draws a picture in the colours and fonts of an element. Posters are loaded from this server only. */
export async function drawPicture(picture: YearPicture, element: HTMLElement, signature: string): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser cannot draw')
  const look = lookOf(element)
  const posters = await Promise.all(picture.movies.map(loadPoster))
  context.direction = document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'
  context.fillStyle = look.canvas
  context.fillRect(0, 0, WIDTH, HEIGHT)

  const start = startOf(context, EDGE, WIDTH - 2 * EDGE)
  let top = EDGE + 40
  const write = (text: string, size: number, color: string, font: string) => {
    context.font = `600 ${size}px ${font}`
    context.fillStyle = color
    for (const line of linesOf(context, text, WIDTH - 2 * EDGE)) {
      context.fillText(line, start, top)
      top += size * 1.2
    }
  }
  write(picture.heading, 40, look.accent, look.sans)
  top += 44
  if (picture.figure !== '') write(picture.figure, 92, look.text, look.display)
  for (const line of picture.lines) write(line, 40, look.muted, look.sans)
  drawPosters(context, look, { picture, posters, top })
  context.font = `600 32px ${look.sans}`
  context.fillStyle = look.muted
  context.fillText(signature, start, HEIGHT - 60)

  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The canvas has no image'))), 'image/png')
  })
}

/** Where a text begins that has this room. */
function startOf({ direction }: CanvasRenderingContext2D, x: number, width: number): number {
  return direction === 'rtl' ? x + width : x
}

type Posters = { picture: YearPicture; posters: readonly (HTMLImageElement | undefined)[]; top: number }

function drawPosters(context: CanvasRenderingContext2D, look: Look, { picture, posters, top }: Posters): void {
  const columns = columnsOf(picture)
  const rows = Math.ceil(posters.length / columns)
  const width = Math.min((WIDTH - 2 * EDGE - GAP * (columns - 1)) / columns, ((FLOOR - top) / rows - GAP) / 1.5)
  for (const [n, poster] of posters.entries()) {
    const before = EDGE + (n % columns) * (width + GAP)
    const tile = {
      x: context.direction === 'rtl' ? WIDTH - before - width : before,
      y: top + Math.floor(n / columns) * (width * 1.5 + GAP),
      width,
    }
    context.save()
    context.beginPath()
    context.roundRect(tile.x, tile.y, width, width * 1.5, 12)
    context.clip()
    if (poster) drawCovering(context, poster, tile)
    else drawTitle(context, look, picture.movies[n]?.title ?? '', tile)
    context.restore()
  }
}

type Tile = { x: number; y: number; width: number }

function drawCovering(context: CanvasRenderingContext2D, poster: HTMLImageElement, { x, y, width }: Tile): void {
  const scale = Math.max(width / poster.naturalWidth, (width * 1.5) / poster.naturalHeight)
  const [w, h] = [poster.naturalWidth * scale, poster.naturalHeight * scale]
  context.drawImage(poster, x + (width - w) / 2, y + (width * 1.5 - h) / 2, w, h)
}

function drawTitle(context: CanvasRenderingContext2D, look: Look, title: string, { x, y, width }: Tile): void {
  const [from, to] = titleColors(title)
  const gradient = context.createLinearGradient(x, y, x + width, y + width * 1.5)
  gradient.addColorStop(0, from)
  gradient.addColorStop(1, to)
  context.fillStyle = gradient
  context.fill()
  const size = Math.max(16, width / 9)
  context.font = `600 ${size}px ${look.display}`
  context.fillStyle = TITLE_COLOR
  const lines = linesOf(context, title, width - size * 1.5)
  const last = y + width * 1.5 - size * 0.9
  const start = startOf(context, x + size * 0.75, width - size * 1.5)
  for (const [n, line] of lines.entries()) {
    context.fillText(line, start, last - (lines.length - 1 - n) * size * 1.2)
  }
}

/** Undefined for a placeholder, a picture of another host, and one that cannot be loaded. */
async function loadPoster({ imageUrl, posterState }: MovieInStatistics): Promise<HTMLImageElement | undefined> {
  if (posterState !== undefined || new URL(imageUrl, location.href).origin !== location.origin) return undefined
  try {
    const image = new Image()
    image.src = imageUrl
    await image.decode()
    return image
  } catch {
    return undefined
  }
}

/** A text in lines that are not wider than this, except for single words. */
function linesOf(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length > 0 && context.measureText(longer).width <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

function lookOf(element: HTMLElement): Look {
  const probe = document.createElement('span')
  element.append(probe)
  const colorOf = (token: string) => {
    probe.style.color = `var(--${token})`
    return getComputedStyle(probe).color
  }
  const fontOf = (name: string) => {
    probe.className = name
    return getComputedStyle(probe).fontFamily
  }
  const look = {
    canvas: colorOf('canvas'),
    text: colorOf('text'),
    muted: colorOf('muted'),
    accent: colorOf('accent'),
    display: fontOf('font-display'),
    sans: fontOf('font-sans'),
  }
  probe.remove()
  return look
}
