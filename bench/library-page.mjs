// Measures the library page with 100,000 posters on the real server: the longest task of the page while every page is loaded
// by scrolling to the end, and while the reader scrolls back. `node bench/library-page.mjs 10000` uses fewer posters.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

import { chromium } from '@playwright/test'

import { signUpAndIn } from '../e2e/support/journey.ts'
import { startPosterHost } from '../e2e/support/poster-host.ts'
import { seedAs } from '../e2e/support/seed.ts'
import { startServer } from '../e2e/support/server.ts'
import { openBrowser } from './measure/browser.mjs'
import { atMost, ms, report } from './measure/report.mjs'

const CARDS = Number(process.argv[2] ?? 100_000)
const MOST_MS = 50

const server = await startServer('embedded')
const posters = await startPosterHost()
const profile = await mkdtemp(join(tmpdir(), 'marquee-bench-'))
let browser
let page

try {
  const id = await prepare()
  browser = await openBrowser(profile, ['--window-size=1280,900', posters.browserArgument])
  page = await browser.firstPage()
  await page.goto(`${server.url}/watchlists/${id}/library`)
  while (!(await page.evaluate(hasPosters))) await pause(100)
  await page.evaluate(observeTasks)

  await measure('load by scrolling to the end', async () => await page.evaluate(loadAll, CARDS))
  await measure('scroll up and down', scroll)
} finally {
  await browser?.close()
  posters.stop()
  await server.stop()
  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
}

/** Signs a user up in the profile and fills the user's watchlist. Returns its id. */
async function prepare() {
  const context = await chromium.launchPersistentContext(profile, {
    ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
    args: ['--no-sandbox', '--disable-background-networking', posters.browserArgument],
    baseURL: server.url,
  })
  try {
    const signUp = await context.newPage()
    await signUpAndIn(signUp, server, { name: 'Ana', email: 'ana@example.org', password: 'Passw0rd-film' })
    const seed = await seedAs(signUp)
    const { id } = await seed.watchlist('Everything we ever saw')
    await seed.card(id, {
      title: 'Film 0',
      description: 'A family whose rooms each have a season of their own. Watch it with a blanket.',
      image: 'http://posters.example.org/0.png',
      status: 'REVEALED',
      movie: { year: 2001, runtimeMinutes: 122, genres: ['Comedy', 'Drama'], directors: ['Jean-Pierre Jeunet'] },
    })
    fillFeed(id)
    return id
  } finally {
    await context.close()
  }
}

/** Fills the feed with copies of its one card. */
function fillFeed(id) {
  const db = new DatabaseSync(join(server.dataDir, 'marquee.db'))
  const { ...card } = db.prepare('select * from card where watchlist_id = ?').get(id)
  const columns = Object.keys(card)
  const insert = db.prepare(`insert into card (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`)
  db.exec('begin immediate')
  for (let n = 1; n < CARDS; n += 1) {
    const changed = {
      id: `${card.id.slice(0, -6)}${String(n).padStart(6, '0')}`,
      title: `Film ${n}`,
      folded_title: `film ${n}`,
      image_url: `http://posters.example.org/${n}.png`,
    }
    insert.run(...Object.values({ ...card, ...changed }))
  }
  db.exec('commit')
  db.close()
}

async function measure(what, act) {
  await page.evaluate(() => void (window.longTasks = []))
  await act()
  await pause(500)
  const longest = Math.max(0, ...(await page.evaluate(() => window.longTasks)))
  report(
    `library of ${CARDS.toLocaleString('en')} posters, ${what}, longest task`,
    ms(longest),
    atMost(longest, MOST_MS, ' ms'),
  )
}

async function scroll() {
  const wheel = { type: 'mouseWheel', x: 700, y: 500, deltaX: 0 }
  for (let turn = 0; turn < 60; turn += 1) {
    await page.send('Input.dispatchMouseEvent', { ...wheel, deltaY: turn < 40 ? -2500 : 4000 })
    await pause(16)
  }
  await page.evaluate(() => scrollTo(0, 0))
}

function hasPosters() {
  return document.querySelector('main li img') !== null
}

function observeTasks() {
  window.longTasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration)
  }).observe({ type: 'longtask' })
}

/** In the page, so that the browser and not this program sets the pace. */
async function loadAll(count) {
  const isComplete = () =>
    [...document.querySelectorAll('output')].some(
      ({ textContent }) => textContent.replace(',', '') === `${count} movies`,
    )
  while (!isComplete()) {
    scrollTo(0, document.body.scrollHeight)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
