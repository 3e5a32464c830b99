import { setTimeout as pause } from 'node:timers/promises'

const PHONE = { width: 412, height: 823, deviceScaleFactor: 1, mobile: false }
/** Slow 4G: 1.6 Mbit/s down, 0.75 up, and 150 ms to the server and back. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const SLOWER = 4
/** Until then, the service worker has kept the app. */
const QUIET_MS = 6000

/**
 * Visits a page twice with a new profile that is signed in, on a phone with a slow line and a processor four times slower, which
 * Chromium plays itself. Returns when the first and the largest paint of both visits were, in ms. Lighthouse computes such times from
 * a visit without them.
 */
export async function visitTwiceOnSlowPhone(browser, { url, path, storage }) {
  const profile = await browser.newProfile()
  await signIn(profile, { url, storage })
  const visits = { first: await visit(profile, `${url}${path}`), later: await visit(profile, `${url}${path}`) }
  await profile.remove()
  return visits
}

async function visit(profile, url) {
  const page = await profile.newPage()
  await page.send('Emulation.setDeviceMetricsOverride', PHONE)
  await page.send('Network.enable')
  await page.send('Network.emulateNetworkConditions', LINE)
  await page.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.goto(url)
  await pause(QUIET_MS)
  const paints = await page.evaluate(readPaints)
  await page.close()
  return paints
}

/** Fills the local storage on a page without code. */
async function signIn(profile, { url, storage }) {
  const page = await profile.newPage()
  await page.goto(`${url}/favicon.svg`)
  while (!(await page.evaluate(() => location.protocol)).startsWith('http')) await pause(50)
  await page.evaluate((entries) => {
    for (const { name, value } of entries) localStorage.setItem(name, value)
  }, storage)
  await page.close()
}

/** In the page. */
async function readPaints() {
  return await new Promise((resolve) => {
    const observer = new PerformanceObserver((list) =>
      resolve({
        first: performance.getEntriesByName('first-contentful-paint')[0].startTime,
        largest: list.getEntries().at(-1).startTime,
      }),
    )
    observer.observe({ type: 'largest-contentful-paint', buffered: true })
  })
}
