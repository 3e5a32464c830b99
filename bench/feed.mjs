// Measures a feed of 2,000 cards on the real server: the longest task of the page while the feed loads, scrolls, and is
// changed by its reader and by another member. A user notices a task over 100 ms.
import process from 'node:process'

import { chromium } from '@playwright/test'

import { signUpAndIn } from '../e2e/support/journey.ts'
import { aPng } from '../e2e/support/png.ts'
import { join, seedAs } from '../e2e/support/seed.ts'
import { startServer } from '../e2e/support/server.ts'

const CARDS = 2000
const DESCRIPTION = 'A family whose rooms each have a season of their own. Watch it with a blanket.'

const server = await startServer()
const browser = await chromium.launch({
  ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
  args: ['--no-sandbox', '--disable-background-networking'],
})

try {
  const [page, otherPage] = [await newPage(), await newPage()]
  await signUpAndIn(page, server, { name: 'Ana', email: 'ana@example.org', password: 'Passw0rd-film' })
  await signUpAndIn(otherPage, server, { name: 'Ben', email: 'ben@example.org', password: 'Passw0rd-film' })
  const [ana, ben] = [await seedAs(page), await seedAs(otherPage)]
  const { id } = await ana.watchlist('Everything we ever saw')
  await join(id, ana, ben, 'Ben')
  const cards = await fill(ana, id)
  await page.addInitScript(observeTasks)
  await page.goto(`/watchlists/${id}`)

  const first = page.getByRole('article').first()
  const steps = [
    ['load every page by scrolling', async () => await loadAll(page)],
    ['scroll up and down', async () => await scroll(page)],
    [
      'another member comments',
      async () => {
        await ben.comment(id, cards.at(-2).id, 'Seen at the open air')
        await page.getByText('Seen at the open air').waitFor()
      },
    ],
    [
      'another member adds a card',
      async () => {
        await ben.card(id, { title: 'Late arrival', status: 'REVEALED' })
        await first.getByRole('heading', { name: 'Late arrival' }).waitFor()
      },
    ],
    [
      'comment',
      async () => {
        await first.getByRole('button', { name: 'Comment', exact: true }).click()
        await page.keyboard.type('Tonight?')
        await page.keyboard.press('Control+Enter')
        await first.getByText('Tonight?').waitFor()
      },
    ],
    [
      'reveal',
      async () => {
        await page.locator('button', { hasText: 'Reveal random card' }).click()
        await first.getByRole('heading', { name: 'From the box' }).waitFor()
      },
    ],
  ]
  const rows = []
  for (const [step, run] of steps) rows.push({ step, ...(await tasksDuring(page, run)) })
  console.table(rows)
} finally {
  await browser.close()
  await server.stop()
}

async function newPage() {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1280, height: 900 } })
  const poster = aPng({ width: 200, height: 300 })
  await context.route('https://posters.example.org/**', (route) =>
    route.fulfill({ contentType: 'image/png', body: poster }),
  )
  return await context.newPage()
}

/** Adds cards to the feed, every tenth with a comment, and one to the box. Returns those of the feed, oldest first. */
async function fill(seed, id) {
  const cards = []
  for (let made = 0; made < CARDS; made += 20) {
    const some = Array.from({ length: 20 }, (_, index) => `Film ${made + index + 1}`)
    cards.push(
      ...(await Promise.all(
        some.map((title) => seed.card(id, { title, description: DESCRIPTION, status: 'REVEALED' })),
      )),
    )
    await seed.comment(id, cards.at(-1).id, 'A film for a rainy night')
  }
  await seed.card(id, { title: 'From the box' })
  return cards
}

/** Runs in the page, before its own scripts. */
function observeTasks() {
  window.longTasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
}

async function tasksDuring(page, run) {
  await page.evaluate(() => void (window.longTasks = []))
  await run()
  await page.waitForTimeout(500)
  const tasks = await page.evaluate(() => window.longTasks)
  return { 'longest task, ms': Math.round(Math.max(0, ...tasks)), 'over 100 ms': tasks.filter((ms) => ms > 100).length }
}

async function loadAll(page) {
  await page.getByRole('article').first().waitFor()
  for (let loaded = 0; loaded < CARDS;) {
    loaded = await page.evaluate(() => {
      scrollTo(0, document.body.scrollHeight)
      return document.querySelectorAll('article').length
    })
    await page.waitForTimeout(20)
  }
}

async function scroll(page) {
  await page.mouse.move(700, 500)
  for (let turn = 0; turn < 60; turn += 1) {
    await page.mouse.wheel(0, turn < 40 ? -2500 : 4000)
    await page.waitForTimeout(16)
  }
  await page.evaluate(() => scrollTo(0, 0))
}
