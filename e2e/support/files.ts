import type { Locator, Page } from '@playwright/test'

import { aPng } from './png.ts'

export type ChosenFile = { name: string; mimeType: string; buffer: Buffer }

const TOO_LARGE = 5 * 1024 * 1024 + 1

export const A_PICTURE: ChosenFile = { name: 'picture.png', mimeType: 'image/png', buffer: aPng() }
export const A_TEXT: ChosenFile = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('No picture') }
/** Begins like a PNG but is not an image. */
export const A_FORGERY: ChosenFile = {
  name: 'forgery.png',
  mimeType: 'image/png',
  buffer: Buffer.concat([aPng().subarray(0, 8), Buffer.from('No picture')]),
}
/** The head of a TIFF, which Chromium does not draw. */
export const A_SCAN: ChosenFile = { name: 'scan.tif', mimeType: 'image/tiff', buffer: Buffer.from('II*\0') }
/** 40 pixels wide, in types that only the browser decodes. */
export const A_BITMAP: ChosenFile = { name: 'poster.bmp', mimeType: 'image/bmp', buffer: aBitmap(40, 60) }
export const A_DRAWING: ChosenFile = {
  name: 'poster.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="60"><circle cx="20" cy="30" r="15" fill="teal"/></svg>',
  ),
}
/** A photo of 24.5 megapixels, more than the server decodes. */
export const aPhoto = (): ChosenFile => ({
  name: 'photo.png',
  mimeType: 'image/png',
  buffer: aPng({ width: 6000, height: 4080 }),
})
/** One byte more than the limit. */
export const A_HUGE_PICTURE: ChosenFile = { name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(TOO_LARGE) }

/** An uncompressed bitmap of one colour. The length of a row must be a multiple of four bytes. */
function aBitmap(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 3, 0x8f)
  const head = Buffer.alloc(54)
  head.write('BM', 'latin1')
  head.writeUInt32LE(head.length + pixels.length, 2)
  head.writeUInt32LE(head.length, 10)
  head.writeUInt32LE(40, 14)
  head.writeInt32LE(width, 18)
  head.writeInt32LE(height, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(24, 28)
  return Buffer.concat([head, pixels])
}

/** Drops a file onto an element, as a user does with a mouse. */
export async function dropFile(place: Locator, file: ChosenFile): Promise<void> {
  const dataTransfer = await transferOf(place.page(), file)
  for (const type of ['dragenter', 'dragover', 'drop']) await place.dispatchEvent(type, { dataTransfer })
}

/** Pastes a file at the focus, as Ctrl+V does. */
export async function pasteFile(page: Page, file: ChosenFile): Promise<void> {
  const clipboard = await transferOf(page, file)
  await page.evaluate((clipboardData) => {
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    ;(document.activeElement ?? document.body).dispatchEvent(paste)
  }, clipboard)
}

async function transferOf(page: Page, { name, mimeType, buffer }: ChosenFile) {
  return await page.evaluateHandle(
    async ({ fileName, type, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0)
      const transfer = new DataTransfer()
      transfer.items.add(new File([bytes], fileName, { type }))
      return transfer
    },
    { fileName: name, type: mimeType, base64: buffer.toString('base64') },
  )
}
