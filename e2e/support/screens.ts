import { expect, type Page } from '@playwright/test'

/**
 * Opens a screen and waits until it has loaded. If the app shows another screen, it goes there as a link does, because
 * loading the app again takes several times as long.
 */
export async function openScreen(page: Page, path: string): Promise<void> {
  const before = await page.title()
  if (!(await follow(page, path))) return await loadScreen(page, path)
  await expect(page).not.toHaveTitle(before)
  await untilLoaded(page)
}

/** Loads the app at a screen and waits until it has loaded. */
export async function loadScreen(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await untilLoaded(page)
}

async function untilLoaded(page: Page): Promise<void> {
  // A placeholder has a title, too, which only a screen reader finds.
  await expect(page.locator('h1').first()).toBeVisible()
  await expect(page.locator('[aria-busy=true], .animate-pulse')).toHaveCount(0)
}

/** Shows another path in the open app, with an entry of the history like those of the router. False if it is not possible. */
async function follow(page: Page, path: string): Promise<boolean> {
  return await page.evaluate((to) => {
    if (document.querySelector('#root > *') === null) return false
    const { origin, pathname } = new URL(to, location.href)
    if (origin !== location.origin || pathname === location.pathname) return false
    history.pushState({ key: crypto.randomUUID(), idx: history.length }, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
    return true
  }, path)
}
