// Measures the built app on the real server: the JavaScript and fonts that a first view loads, as sent, the first and the largest
// paint of a watchlist on a slow phone, and Lighthouse (mobile). Prints medians.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

import { freePort } from '@marquee/platform/testing/free-port'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'

import { signUpAndIn } from '../e2e/support/journey.ts'
import { aPng } from '../e2e/support/png.ts'
import { seedAs } from '../e2e/support/seed.ts'
import { startServer } from '../e2e/support/server.ts'
import { openBrowser } from './measure/browser.mjs'
import { atLeast, atMost, report } from './measure/report.mjs'
import { visitTwiceOnSlowPhone } from './measure/slow-visit.mjs'

const RUNS = 5
const SLOW_RUNS = 5
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']
/** On a fast line, the parser of events loads before the largest paint of a watchlist. */
const BUDGET = { login: { kilobytes: 105.3, files: 6 }, watchlist: { kilobytes: 170.5, files: 11 } }
const MOST_FONTS_KB = 60
const LCP_SECONDS = { first: 1.8, later: 0.9 }
const CARDS = 30
const SCORE = { login: 100, watchlist: 98 }
const CARDS_FOR_SCORE = 100
/** The stream of events stays open, so Lighthouse would wait for 45 s until the network is quiet. */
const MOST_WAIT_MS = 15_000
const LAST_SCREEN = 'marquee.last-screen'
const POSTER = `data:image/png;base64,${aPng({ width: 400, height: 600 }).toString('base64')}`

const server = await startServer()
const folder = await mkdtemp(join(tmpdir(), 'marquee-bench-'))
const port = await freePort()
const browser = await chromium.launchPersistentContext(join(folder, 'computer'), {
  ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
  args: ['--no-sandbox', '--disable-background-networking', `--remote-debugging-port=${port}`],
  baseURL: server.url,
})

try {
  await reportWeight('login', '/auth/login')
  const login = await visit('/auth/login')
  const seed = await aMember()
  const path = await aWatchlist(seed, CARDS)
  await reportWeight('watchlist', path)
  await reportPaints(path)
  const long = await aWatchlist(seed, CARDS_FOR_SCORE)
  const first = await visit(long, { forget: true })
  const later = await visit(long)
  reportScores('login', login)
  reportScores('watchlist', later)
  for (const [name, results] of Object.entries({ 'first visit': first, 'later visit': later })) {
    const seconds = medianOf('largest-contentful-paint', results) / 1000
    report(
      `largest paint of a watchlist with ${CARDS_FOR_SCORE} cards, as Lighthouse computes it, ${name}`,
      `${seconds.toFixed(2)} s`,
    )
    report(`time that long tasks block there, ${name}`, `${Math.round(medianOf('total-blocking-time', results))} ms`)
    report(`layout shift there, ${name}`, medianOf('cumulative-layout-shift', results).toFixed(3))
  }
} finally {
  await browser.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function reportPaints(path) {
  const { origins } = await browser.storageState()
  const storage = origins[0].localStorage.filter(({ name }) => name !== LAST_SCREEN)
  const phone = await openBrowser(join(folder, 'phone'))
  const runs = []
  for (let run = 0; run < SLOW_RUNS; run += 1) {
    runs.push(await visitTwiceOnSlowPhone(phone, { url: server.url, path, storage }))
  }
  await phone.close()
  for (const visit of ['first', 'later']) {
    const [first, largest] = ['first', 'largest'].map((paint) => median(runs.map((run) => run[visit][paint])) / 1000)
    report(`first paint of a watchlist with ${CARDS} cards on a slow phone, ${visit} visit`, `${first.toFixed(2)} s`)
    report(`largest paint there, ${visit} visit`, `${largest.toFixed(2)} s`, atMost(largest, LCP_SECONDS[visit], ' s'))
  }
}

/** Signs a user up. Returns what makes things in their name. */
async function aMember() {
  const page = await browser.newPage()
  await signUpAndIn(page, server, { name: 'Ana', email: 'ana@example.org', password: 'Passw0rd-film' })
  const seed = await seedAs(page)
  await page.close()
  return seed
}

/** Fills a watchlist like a film club's. Returns its path. */
async function aWatchlist(seed, cards) {
  const { id } = await seed.watchlist('Friday film club', 'Every Friday at eight')
  await seed.card(id, { title: 'Night Tram', description: 'The last tram.', image: POSTER, status: 'SUGGESTED' })
  for (let card = 1; card <= cards; card += 1) {
    const status = ['REJECTED', 'WATCHED', 'REVEALED'][card % 3]
    await seed.card(id, { title: `Night Tram ${card}`, description: 'The last tram.', image: POSTER, status })
  }
  return `/watchlists/${id}`
}

/** Reports what a first view fetches: kB (1,000 bytes) of bodies as sent, and files. */
async function reportWeight(screen, path) {
  const page = await browser.newPage()
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Network.setBypassServiceWorker', { bypass: true })
  await page.goto(path)
  await page.getByRole('main').getByRole('heading').first().waitFor()
  // Later the app loads what other screens need.
  const scripts = await filesBeforeLargestPaint(page, '.js')
  // Fonts load once there is text.
  await page.waitForTimeout(2000)
  const fonts = await filesOf(page, '.woff2')
  await page.close()
  const { kilobytes, files: most } = BUDGET[screen]
  const size = kilobytesOf(scripts)
  report(`JavaScript of the ${screen} screen`, `${size} kB`, atMost(size, kilobytes, ' kB'))
  report(`files of that JavaScript`, String(scripts.length), atMost(scripts.length, most))
  const ofFonts = kilobytesOf(fonts)
  report(`fonts of the ${screen} screen`, `${ofFonts} kB`, atMost(ofFonts, MOST_FONTS_KB, ' kB'))
}

async function filesBeforeLargestPaint(page, ending) {
  const paintedAt = await page.evaluate(
    async () =>
      await new Promise((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
        observer.observe({ type: 'largest-contentful-paint', buffered: true })
      }),
  )
  return (await filesOf(page, ending)).filter(({ startedAt }) => startedAt < paintedAt)
}

async function filesOf(page, ending) {
  const files = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name, startTime, encodedBodySize }) => ({
      path: new URL(name).pathname,
      startedAt: startTime,
      bytes: encodedBodySize,
    })),
  )
  return files.filter(({ path }) => path.endsWith(ending))
}

function kilobytesOf(files) {
  return Math.round(files.reduce((sum, { bytes }) => sum + bytes, 0) / 100) / 10
}

/** Runs Lighthouse. With `forget`, the browser has nothing of the app but the sign-in at the start of each run. */
async function visit(path, { forget = false } = {}) {
  const results = []
  for (let run = 0; run < RUNS; run += 1) {
    if (forget) await forgetFiles()
    const { lhr } = await lighthouse(`${server.url}${path}`, {
      port,
      onlyCategories: CATEGORIES,
      disableStorageReset: true,
      maxWaitForLoad: MOST_WAIT_MS,
      logLevel: 'error',
    })
    results.push(lhr)
    if (process.env.BENCH_DETAILS) explain(lhr)
  }
  return results
}

async function forgetFiles() {
  const page = await browser.newPage()
  // A page without code, which stays.
  await page.goto('/favicon.svg')
  await page.evaluate(async (lastScreen) => {
    for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister()
    for (const name of await caches.keys()) await caches.delete(name)
    localStorage.removeItem(lastScreen)
  }, LAST_SCREEN)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  await page.close()
}

function reportScores(screen, results) {
  for (const name of CATEGORIES) {
    const score = median(results.map(({ categories }) => Math.round(categories[name].score * 100)))
    const target = name === 'performance' ? SCORE[screen] : 100
    report(`Lighthouse mobile, ${name} of the ${screen} screen`, String(score), atLeast(score, target))
  }
}

function medianOf(audit, results) {
  return median(results.map(({ audits }) => audits[audit].numericValue))
}

/** With BENCH_DETAILS set, prints the audits that cost points. */
function explain({ categories, audits }) {
  for (const { id, auditRefs } of Object.values(categories)) {
    for (const { id: audit, weight } of auditRefs) {
      const { score, title, displayValue } = audits[audit]
      if (weight > 0 && score !== null && score < 0.9) console.log(id, audit, score, title, displayValue ?? '')
    }
  }
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]
}
