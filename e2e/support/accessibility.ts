import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { expect, type Locator, type Page } from '@playwright/test'
import type Axe from 'axe-core'

/** What the script below leaves in the page. */
declare const axe: typeof Axe
const AXE = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const WIDE = { width: 1280, height: 900 }
const NARROW = { width: 320, height: 640 }
const MOST_TABS = 80

/**
 * What the page shows now is for everyone: axe finds nothing, in the wide layout in one theme and in the narrow one in
 * the other, and nothing scrolls sideways at 320 pixels.
 */
export async function expectForEveryone(page: Page, state: string): Promise<void> {
  for (const { colorScheme, viewport } of [
    { colorScheme: 'light', viewport: NARROW },
    { colorScheme: 'dark', viewport: WIDE },
  ] as const) {
    const where = `${state}, ${colorScheme}, ${viewport.width} pixels wide`
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    await comeToRest(page)
    await expectNothingToStickOut(page, where)
    expect(await violations(page), `${where}: what axe finds`).toEqual([])
  }
}

/** Each rule that axe finds broken, with the elements that break it. */
async function violations(page: Page): Promise<string[]> {
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(AXE)
  return await page.evaluate(async (tags) => {
    const found = await axe.run({ runOnly: tags, resultTypes: ['violations'] })
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }, WCAG)
}

/** Nothing makes the page scroll sideways at the width it has now. */
export async function expectNothingToStickOut(page: Page, where = page.url()): Promise<void> {
  expect(await tooWide(page), `${where}: what sticks out`).toEqual([])
}

/** Colours that are on their way from one theme to the other have no contrast to speak of. */
async function comeToRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
    await Promise.allSettled(ending.map(async ({ finished }) => await finished))
  })
}

/** The elements that make the page wider than its window. */
async function tooWide(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth,
    )
    return wide.map(({ outerHTML }) => outerHTML.slice(0, 120))
  })
}

/** Walks with the keyboard until the target has the focus, which must be seen there. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < MOST_TABS; presses += 1) {
    await page.keyboard.press(key)
    if (await target.evaluate((element) => element === document.activeElement)) {
      expect(await target.evaluate(hasOutline), `the focus is seen on ${target.toString()}`).toBe(true)
      return
    }
  }
  throw new Error(`${key} does not lead to ${target.toString()}`)
}

/** The focus ring is on the element, or on the label that stands for it where the input itself is out of sight. */
function hasOutline(element: Element): boolean {
  return [element, element.closest('label')].some((drawn) => {
    if (drawn === null) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(drawn)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  })
}
