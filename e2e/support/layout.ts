import type { Page } from '@playwright/test'

/**
 * What is broken at the present width: a page that scrolls sideways, text outside its element or the window, and words that
 * continue in the next line. A word may break where it is longer than its line, as user names are. The page has followed its
 * width before: scripts that listen to it run before the callback of a frame, and those that watch elements right after it.
 */
export async function brokenLayout(page: Page, at = page.viewportSize()?.width): Promise<string[]> {
  return await page.evaluate(async (set) => {
    await new Promise<void>((resolve) => {
      requestAnimationFrame(() => {
        setTimeout(resolve)
      })
    })
    const width = document.documentElement.clientWidth
    const found: string[] = []
    if (innerWidth !== set) found.push(`the window is still ${innerWidth} pixels wide`)
    const { scrollWidth } = document.documentElement
    if (scrollWidth > width) found.push(`the page is ${scrollWidth} pixels wide`)
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (walker.nextNode()) {
      const { currentNode: node } = walker
      const { parentElement: parent, textContent: text } = node
      if (!parent || !text?.trim() || !parent.checkVisibility() || parent.closest('.sr-only, svg, pre, code')) continue
      const isScrolled = parent.closest('.overflow-x-auto, .truncate') !== null
      range.selectNodeContents(node)
      const box = range.getBoundingClientRect()
      if (box.width === 0) continue
      if (!isScrolled && (box.left < -1 || box.right > width + 1)) found.push(`outside the window: ${text}`)
      const style = getComputedStyle(parent)
      if (
        !isScrolled &&
        style.display !== 'inline' &&
        parent.clientWidth > 1 &&
        parent.scrollWidth > parent.clientWidth + 1
      )
        found.push(`outside its element: ${text}`)
      for (const { 0: word, index } of text.matchAll(/(?<![\S])[\p{L}\p{N}]{2,18}(?![\p{L}\p{N}@/])/gu)) {
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (lines.size > 1) found.push(`broken: ${word}`)
      }
    }
    return [...new Set(found)]
  }, at)
}

/** The spacing of WCAG 1.4.12. */
const SPACING = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-block-end: 2em !important }`

/** Gives the texts of the open page wider spacing, or their own again. */
export async function spaceTexts(page: Page, isWider: boolean): Promise<void> {
  await page.evaluate(
    (css) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
      document.adoptedStyleSheets = [sheet]
    },
    isWider ? SPACING : '',
  )
}

/**
 * What wider spacing loses at the present width: what is broken, and texts that their element hides the lower part of. A long
 * word may go on in the next line: it is still there. Texts with an ellipsis can be unfolded, or are named elsewhere.
 */
export async function lostTexts(page: Page, at: number): Promise<string[]> {
  const broken = (await brokenLayout(page, at)).filter((fault) => !fault.startsWith('broken: '))
  const clipped = await page.evaluate(() =>
    [...document.body.querySelectorAll<HTMLElement>('*')]
      .filter((element) => {
        if (!element.checkVisibility() || element.closest('.sr-only, svg') || element.innerText.trim() === '')
          return false
        const { overflowY, textOverflow, webkitLineClamp } = getComputedStyle(element)
        if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none' || element.clientHeight <= 1) return false
        return ['hidden', 'clip'].includes(overflowY) && element.scrollHeight > element.clientHeight + 1
      })
      .map((element) => `clipped: ${element.innerText.slice(0, 80)}`),
  )
  return [...broken, ...clipped]
}

/** Sets the width of a page with one message to the browser, where `setViewportSize` takes several and twice the time. */
export async function makeWidthSetter(page: Page): Promise<(width: number) => Promise<void>> {
  const browser = await page.context().newCDPSession(page)
  const others = { height: 800, deviceScaleFactor: 1, mobile: false }
  return async (width) => {
    await browser.send('Emulation.setDeviceMetricsOverride', { width, ...others })
  }
}

/** Makes the open page transparent. It keeps its layout, and another width takes half the time. */
export async function stopPainting(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.opacity = '0'
  })
}

/** The filled buttons and links of what is on top: the open dialog, or the page. */
export async function filledButtons(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const top = [...document.querySelectorAll('dialog[open], [role=dialog]')].at(-1) ?? document.body
    return [...top.querySelectorAll<HTMLElement>('button.bg-accent, a.bg-accent:not(.sr-only)')]
      .filter((element) => element.checkVisibility())
      .map((element) => element.innerText.trim())
  })
}

/** The controls that a finger can miss: less than 44 pixels wide or high. Links within a sentence have their line. */
export async function smallTargets(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const LEAST = 43.5
    const controls = document.querySelectorAll<HTMLElement>(
      'button, a[href], input:not([type=hidden]), select, textarea, summary, [role=tab], [role=menuitem]',
    )
    return [...controls]
      .filter((control) => control.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter((control) => !control.closest('.sr-only') && !control.matches('.sr-only, .sr-only *'))
      .flatMap((control) => {
        const isInSentence =
          control.matches('a') && getComputedStyle(control).display === 'inline' && control.closest('p, li, dd, td')
        if (isInSentence) return []
        // The label of a field is pressed like the field.
        const target = control.closest('label') ?? (control as HTMLInputElement).labels?.[0] ?? control
        // A button in a row may cover the row.
        const row = getComputedStyle(control, '::after').position === 'absolute' ? control.offsetParent : null
        const boxes = [control, target, row ?? control].map((element) => element.getBoundingClientRect())
        const [width, height] = (['width', 'height'] as const).map((side) => Math.max(...boxes.map((box) => box[side])))
        if (boxes[0]?.width === 0 || (width ?? 0) < 2) return []
        if ((width ?? 0) >= LEAST && (height ?? 0) >= LEAST) return []
        const name = control.getAttribute('aria-label') ?? control.innerText
        return [
          `${control.tagName.toLowerCase()} ${name.trim() || control.outerHTML.slice(0, 80)}: ${Math.round(width ?? 0)} × ${Math.round(height ?? 0)}`,
        ]
      })
  })
}

type LayoutShift = PerformanceEntry & {
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}

/** What has moved that the user did not move, as the browser sees it: each text with its places before and after. */
export async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(async () => {
    // A font that arrives moves text by itself, in the frame after it is ready.
    await document.fonts.ready
    await new Promise<void>((resolve) => {
      requestAnimationFrame(() => {
        setTimeout(resolve)
      })
    })
    const shifts: string[] = []
    const place = ({ x, y, width, height }: DOMRectReadOnly) => `${x},${y} ${width}×${height}`
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as LayoutShift[])
        for (const { node, previousRect, currentRect } of sources)
          shifts.push(`${node?.textContent}: from ${place(previousRect)} to ${place(currentRect)}`)
    }).observe({ type: 'layout-shift' })
    Object.assign(globalThis, { shifts })
  })
  return async () => await page.evaluate(() => (globalThis as unknown as { shifts: string[] }).shifts)
}
