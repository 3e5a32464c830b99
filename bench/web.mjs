// Measures the built app on the real server: the JavaScript that a first view loads, as sent, and the scores of Lighthouse
// (mobile). Prints medians of three runs.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'

import { signUpAndIn } from '../e2e/support/journey.ts'
import { aPng } from '../e2e/support/png.ts'
import { seedAs } from '../e2e/support/seed.ts'
import { freePort, startServer } from '../e2e/support/server.ts'

const RUNS = 3
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']
const BUDGET = { login: { kilobytes: 104.7, files: 6 }, watchlist: { kilobytes: 160, files: 8 } }
const POSTER = `data:image/png;base64,${aPng({ width: 400, height: 600 }).toString('base64')}`

const server = await startServer()
const profile = await mkdtemp(join(tmpdir(), 'marquee-bench-'))
const port = await freePort()
const browser = await chromium.launchPersistentContext(profile, {
  ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
  args: ['--no-sandbox', '--disable-background-networking', `--remote-debugging-port=${port}`],
  baseURL: server.url,
})

try {
  const login = { weight: await javaScriptOf('/auth/login'), scores: await scoresOf('/auth/login') }
  const path = await aWatchlist()
  const watchlist = { weight: await javaScriptOf(path), scores: await scoresOf(path) }
  console.table(
    Object.entries({ login, watchlist }).map(([screen, { weight, scores }]) => ({
      screen,
      'JavaScript, kB brotli': weight.kilobytes,
      'at most, kB': BUDGET[screen].kilobytes,
      files: weight.files,
      'at most': BUDGET[screen].files,
      ...scores,
    })),
  )
} finally {
  await browser.close()
  await server.stop()
  await rm(profile, { recursive: true, force: true })
}

/** Signs a user up and fills a watchlist like a film club's. Returns its path. */
async function aWatchlist() {
  const page = await browser.newPage()
  await signUpAndIn(page, server, { name: 'Ana', email: 'ana@example.org', password: 'Passw0rd-film' })
  const seed = await seedAs(page)
  const { id } = await seed.watchlist('Friday film club', 'Every Friday at eight')
  for (const status of ['SUGGESTED', 'REJECTED', 'WATCHED', 'WATCHED', 'WATCHED', 'REVEALED']) {
    await seed.card(id, { title: 'Night Tram', description: 'The last tram.', image: POSTER, status })
  }
  await page.close()
  return `/watchlists/${id}`
}

/** The JavaScript that a first view fetches: kB (1,000 bytes) of bodies as sent, and files. */
async function javaScriptOf(path) {
  const page = await browser.newPage()
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await session.send('Network.setBypassServiceWorker', { bypass: true })
  await page.goto(path)
  await page.getByRole('main').getByRole('heading').first().waitFor()
  // The page keeps an event stream open, so its network is never idle.
  await page.waitForTimeout(2000)
  const sizes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .map(({ encodedBodySize }) => encodedBodySize),
  )
  await page.close()
  return { kilobytes: Math.round(sizes.reduce((sum, size) => sum + size, 0) / 100) / 10, files: sizes.length }
}

async function scoresOf(path) {
  const runs = []
  for (let run = 0; run < RUNS; run += 1) {
    const result = await lighthouse(`${server.url}${path}`, {
      port,
      onlyCategories: CATEGORIES,
      disableStorageReset: true,
      logLevel: 'error',
    })
    runs.push(result.lhr.categories)
    if (process.env.BENCH_DETAILS) explain(result.lhr)
  }
  return Object.fromEntries(
    CATEGORIES.map((name) => [name, median(runs.map((run) => Math.round(run[name].score * 100)))]),
  )
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
