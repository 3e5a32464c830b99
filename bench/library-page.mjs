// Measures the library page with 100,000 posters on the real server: the longest task of the page while every page is loaded
// by scrolling to the end, and while the reader scrolls back.
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'

import { chromium } from '@playwright/test'

import { signUpAndIn } from '../e2e/support/journey.ts'
import { aPng } from '../e2e/support/png.ts'
import { seedAs } from '../e2e/support/seed.ts'
import { startServer } from '../e2e/support/server.ts'
import { atMost, ms, report } from './measure/report.mjs'

const CARDS = 100_000
const MOST_MS = 50

const server = await startServer()
const browser = await chromium.launch({
  ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
  args: ['--no-sandbox', '--disable-background-networking'],
})

try {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 900 } })
  const poster = aPng({ width: 200, height: 300 })
  await context.route('https://posters.example.org/**', (route) =>
    route.fulfill({ contentType: 'image/png', body: poster }),
  )
  const page = await context.newPage()
  await signUpAndIn(page, server, { name: 'Ana', email: 'ana@example.org', password: 'Passw0rd-film' })
  const seed = await seedAs(page)
  const { id } = await seed.watchlist('Everything we ever saw')
  await seed.card(id, { title: 'Film 0', image: 'https://posters.example.org/0.png', status: 'REVEALED' })
  fillFeed(id)
  await page.addInitScript(observeTasks)
  await page.goto(`/watchlists/${id}/library`)
  await page.getByRole('list', { name: 'Movies' }).getByRole('button').first().waitFor()

  await measure(page, 'load by scrolling to the end', loadAll)
  await measure(page, 'scroll up and down', scroll)
} finally {
  await browser.close()
  await server.stop()
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
      image_url: `https://posters.example.org/${n}.png`,
    }
    insert.run(...Object.values({ ...card, ...changed }))
  }
  db.exec('commit')
  db.close()
}

/** Runs in the page, before its own scripts. */
function observeTasks() {
  window.longTasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
}

async function measure(page, what, act) {
  await page.evaluate(() => void (window.longTasks = []))
  await act(page)
  await page.waitForTimeout(500)
  const tasks = await page.evaluate(() => window.longTasks)
  const longest = Math.max(0, ...tasks)
  report(
    `library of ${CARDS.toLocaleString('en')} posters, ${what}, longest task`,
    ms(longest),
    atMost(longest, MOST_MS, ' ms'),
  )
}

/** Scrolls in the page, so that the browser and not this program sets the pace. */
async function loadAll(page) {
  await page.evaluate(
    async () =>
      await new Promise((resolve) => {
        const step = () => {
          scrollTo(0, document.body.scrollHeight)
          const isComplete = [...document.querySelectorAll('output')].some((it) =>
            /^[\d,]+ movies$/.test(it.textContent),
          )
          if (isComplete) resolve()
          else setTimeout(step, 10)
        }
        step()
      }),
  )
}

async function scroll(page) {
  await page.mouse.move(700, 500)
  for (let turn = 0; turn < 60; turn += 1) {
    await page.mouse.wheel(0, turn < 40 ? -2500 : 4000)
    await page.waitForTimeout(16)
  }
  await page.evaluate(() => scrollTo(0, 0))
}
