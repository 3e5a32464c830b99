import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { expect, type Locator, type Page } from '@playwright/test'
import type Axe from 'axe-core'

import { TRIES_ALL } from './variations.ts'

/** The axe script adds this global to the page. */
declare const axe: typeof Axe
const AXE = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const WIDE = { width: 1280, height: 900 }
const LOOKS = [
  { colorScheme: 'light', viewport: { width: 320, height: 640 } },
  { colorScheme: 'dark', viewport: WIDE },
] as const
/** How many states of a page were checked. */
const checked = new WeakMap<Page, number>()
const MOST_TABS = 80
/** In pixels, by WCAG 2.5.8. */
const SMALLEST_TARGET = 24

/**
 * Checks the page in its present state: axe finds no violation, and nothing scrolls sideways. The first state of a page is
 * checked in the narrow layout in light, the next in the wide layout in dark, and so on in turns. With `--all`, each state in
 * both. The page is wide afterwards. A state is `weekly` if another one shows the same parts: it is checked only with `--all`.
 */
export async function expectAccessible(page: Page, state: string, { weekly = false } = {}): Promise<void> {
  if (weekly && !TRIES_ALL) return
  const turn = checked.get(page) ?? 0
  checked.set(page, turn + 1)
  for (const { colorScheme, viewport } of LOOKS.filter((_look, index) => TRIES_ALL || index === turn % LOOKS.length)) {
    const where = `${state}, ${colorScheme}, ${viewport.width} pixels wide`
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(viewport)
    await expectNoSidewaysScroll(page, where)
    // The app follows a new width or scheme a moment later, and what it then shows may fade in.
    await expect.poll(async () => await violations(page), `${where}: violations that axe finds`).toEqual([])
  }
  if (page.viewportSize()?.width !== WIDE.width) await page.setViewportSize(WIDE)
}

/**
 * The rules that axe finds violated, with their elements. Axe measures what an open popover or a bar leaves of a target; only
 * its whole size counts here.
 */
async function violations(page: Page): Promise<string[]> {
  await finishTransitions(page)
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(AXE)
  return await page.evaluate(
    async ({ tags, least }) => {
      const found = await axe.run({
        runOnly: tags,
        // No criterion asks for it, but users of screen readers move by headings.
        rules: { 'heading-order': { enabled: true } },
        resultTypes: ['violations'],
        selectors: false,
        elementRef: true,
      })
      const isLarge = (element: Element | undefined) => {
        const { width = 0, height = 0 } = element?.getBoundingClientRect() ?? {}
        return Math.min(width, height) >= least
      }
      return found.violations.flatMap(({ id, nodes }) => {
        const wrong = nodes.filter(({ element }) => id !== 'target-size' || !isLarge(element))
        return wrong.length === 0 ? [] : `${id}: ${wrong.map(({ html }) => html).join(' ')}`
      })
    },
    { tags: WCAG, least: SMALLEST_TARGET },
  )
}

/** The page does not scroll sideways at its present width, once it has followed a change of it. */
export async function expectNoSidewaysScroll(page: Page, where = page.url()): Promise<void> {
  await expect.poll(async () => await tooWide(page), `${where}: elements that are too wide`).toEqual([])
}

/** During a transition, colours have too little contrast and boxes are elsewhere. */
export async function finishTransitions(page: Page): Promise<void> {
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

/** Presses Tab until the target has the focus, and checks that the focus is visible. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < MOST_TABS; presses += 1) {
    await page.keyboard.press(key)
    if (await target.evaluate((element) => element === document.activeElement)) {
      expect(await target.evaluate(hasOutline), `the focus is visible on ${target.toString()}`).toBe(true)
      return
    }
  }
  throw new Error(`${key} does not reach ${target.toString()}`)
}

/** The focus ring is on the element, or on the label of an input that is visually hidden. */
function hasOutline(element: Element): boolean {
  return [element, element.closest('label')].some((drawn) => {
    if (drawn === null) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(drawn)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  })
}
