import type { Locator, Page } from '@playwright/test'

import { aPng } from './png.ts'

export type ChosenFile = { name: string; mimeType: string; buffer: Buffer }

const TOO_LARGE = 5 * 1024 * 1024 + 1

export const A_PICTURE: ChosenFile = { name: 'picture.png', mimeType: 'image/png', buffer: aPng() }
export const A_TEXT: ChosenFile = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('No picture') }
/** Says that it is a picture, and is none. */
export const A_FORGERY: ChosenFile = { name: 'forgery.png', mimeType: 'image/png', buffer: Buffer.from('No picture') }
/** One byte more than is allowed. */
export const A_HUGE_PICTURE: ChosenFile = { name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(TOO_LARGE) }

/** Drops a file onto a place of the page, as a mouse would from the desktop. */
export async function dropFile(place: Locator, file: ChosenFile): Promise<void> {
  const dataTransfer = await transferOf(place.page(), file)
  for (const type of ['dragenter', 'dragover', 'drop']) await place.dispatchEvent(type, { dataTransfer })
}

/** Pastes a file where the focus is, as Ctrl+V does with a copied picture. */
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
