const PHONE = { width: 412, height: 823 }
/** Slow 4G: 1.6 Mbit/s down, 0.75 up, and 150 ms to the server and back. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const SLOWER = 4
const QUIET_MS = 4000

/**
 * Opens a page on a phone with a slow line and a processor four times slower, which Chromium plays itself. Returns when the first
 * and the largest paint were, in ms. Lighthouse computes such times from a visit without them.
 */
export async function visitOnSlowPhone(browser, path) {
  const page = await browser.newPage()
  await page.setViewportSize(PHONE)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', LINE)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.goto(path)
  await page.getByRole('main').getByRole('article').first().waitFor()
  await page.waitForTimeout(QUIET_MS)
  const paints = await page.evaluate(async () => ({
    first: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    largest: await new Promise((resolve) => {
      const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
      observer.observe({ type: 'largest-contentful-paint', buffered: true })
    }),
  }))
  await page.close()
  return paints
}
