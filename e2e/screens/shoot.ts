import { fileURLToPath } from 'node:url'

import type { Locator, Page } from '@playwright/test'

/** Where all pictures go. Git ignores it. */
export const PICTURES = fileURLToPath(new URL('../../.cache/pictures/', import.meta.url))
const DESKTOP = 1280

type Shot = {
  /** Height of the picture on a desktop, in pixels. */
  height?: number
  /** The element at the top of the picture, by default the top of the page. */
  from?: Locator
  themes?: readonly ('dark' | 'light')[]
}

/** Takes a picture of the visible part of the page in these themes, by default both. */
export async function shoot(
  page: Page,
  name: string,
  { height, from, themes = ['dark', 'light'] }: Shot = {},
): Promise<void> {
  const before = page.viewportSize() ?? { width: 0, height: 0 }
  const { width } = before
  if (width === DESKTOP && height !== undefined) await page.setViewportSize({ width, height })
  // Nothing is shown in its hover state.
  await page.mouse.move(0, 0)
  await from?.evaluate((element) => element.scrollIntoView())
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(async () => {
      await document.fonts.ready
      const seen = [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight)
      await Promise.allSettled(seen.map(async (image) => await image.decode()))
    })
    await page.screenshot({ path: `${PICTURES}${name}-${colorScheme}-${width}.png`, animations: 'disabled' })
  }
  await page.setViewportSize(before)
}
