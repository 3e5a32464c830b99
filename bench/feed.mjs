// Measures a feed of 2,000 cards on the real server: the longest task of the page while the feed loads, scrolls, and is
// changed by its reader and by another member. A user notices a task over 100 ms. Then, on a processor four times slower,
// how long the reader's own actions take until the next paint, and their longest task with that which shows the answer: there,
// and in a feed of 100 cards on a phone.
import process from 'node:process'

import { chromium } from '@playwright/test'

import { signUpAndIn } from '../e2e/support/journey.ts'
import { aPng } from '../e2e/support/png.ts'
import { signInWithoutForm } from '../e2e/support/register.ts'
import { join, seedAs } from '../e2e/support/seed.ts'
import { startServer } from '../e2e/support/server.ts'
import { longestTaskDuring } from './measure/longest-task.mjs'
import { atMost, ms, report } from './measure/report.mjs'

const CARDS = 2000
const CARDS_ON_PHONE = 100
const WINDOW = { width: 1280, height: 900 }
const PHONE = { width: 412, height: 915 }
const SLOWER = 4
const ROUNDS = 10
const QUIET_MS = 1000
const MOST_MS = { paint: 100, task: 50 }
const DESCRIPTION = 'A family whose rooms each have a season of their own. Watch it with a blanket.'

const server = await startServer()
const browser = await chromium.launch({
  ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
  args: ['--no-sandbox', '--disable-background-networking'],
})

const person = { name: 'Ana', email: 'ana@example.org', password: 'Passw0rd-film' }
try {
  const [page, otherPage] = [await newPage(WINDOW), await newPage(WINDOW)]
  await signUpAndIn(page, server, person)
  await signUpAndIn(otherPage, server, { name: 'Ben', email: 'ben@example.org', password: 'Passw0rd-film' })
  const [ana, ben] = [await seedAs(page), await seedAs(otherPage)]
  const { id } = await ana.watchlist('Everything we ever saw')
  await join(id, ana, ben, 'Ben')
  const cards = await fill(ana, id, CARDS)
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
        // It waits until the reader asks for it, so that nothing moves.
        await page.getByRole('button', { name: '1 new comment' }).waitFor()
      },
    ],
    [
      'another member adds a card',
      async () => {
        await ben.card(id, { title: 'Late arrival', status: 'REVEALED' })
        await page.getByRole('complementary').getByText('Late arrival').waitFor()
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
  await reportInteractions(page, `among ${CARDS} cards`)
  await reportPhone(ana)
} finally {
  await browser.close()
  await server.stop()
}

async function reportPhone(seed) {
  const { id } = await seed.watchlist('Friday film club')
  await fill(seed, id, CARDS_ON_PHONE)
  const page = await newPage(PHONE)
  await signInWithoutForm(page, server, person)
  await page.addInitScript(observeTasks)
  await page.goto(`/watchlists/${id}`)
  await page.getByRole('article').first().waitFor()
  await page.getByRole('article').nth(1).getByRole('button', { name: 'Comment', exact: true }).click()
  await reportInteractions(page, `among ${CARDS_ON_PHONE} cards on a phone`)
}

async function newPage(viewport) {
  const context = await browser.newContext({ baseURL: server.url, viewport })
  const poster = aPng({ width: 200, height: 300 })
  await context.route('https://posters.example.org/**', (route) =>
    route.fulfill({ contentType: 'image/png', body: poster }),
  )
  return await context.newPage()
}

/** Adds cards to the feed, every tenth with a comment, and some to the box. Returns those of the feed, oldest first. */
async function fill(seed, id, count) {
  const cards = []
  for (let made = 0; made < count; made += 20) {
    const some = Array.from({ length: 20 }, (_, index) => `Film ${made + index + 1}`)
    cards.push(
      ...(await Promise.all(
        some.map((title) => seed.card(id, { title, description: DESCRIPTION, status: 'REVEALED' })),
      )),
    )
    await seed.comment(id, cards.at(-1).id, 'A film for a rainy night')
  }
  for (let made = 0; made <= ROUNDS; made += 1) await seed.card(id, { title: 'From the box' })
  return cards
}

/** Runs in the page, before its own scripts. */
function observeTasks() {
  window.longTasks = []
  window.slowEvents = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId > 0) window.slowEvents.push(duration)
  }).observe({ type: 'event', durationThreshold: 16 })
}

async function tasksDuring(page, run) {
  await page.evaluate(() => void (window.longTasks = []))
  await run()
  await page.waitForTimeout(500)
  const tasks = await page.evaluate(() => window.longTasks)
  return { 'longest task, ms': Math.round(Math.max(0, ...tasks)), 'over 100 ms': tasks.filter((ms) => ms > 100).length }
}

/**
 * Does each action on a slow processor, and reports the medians of its slowest event and of its longest task. What finds
 * an element runs in the page too, so it runs before.
 */
async function reportInteractions(page, where) {
  const card = (place) => page.getByRole('article').nth(place)
  // The newest card has the main buttons of the screen.
  const secondMove = (name) => page.getByRole('article').getByRole('button', { name }).nth(1)
  const session = await page.context().newCDPSession(page)
  const actions = {
    // The form of the second card is open already.
    'comment form': { target: (round) => card(round + 2).getByRole('button', { name: 'Comment', exact: true }) },
    comment: {
      prepare: async (round) =>
        await card(round + 2)
          .getByRole('textbox')
          .fill(`Tonight ${round}`),
      act: async () => await page.keyboard.press('Control+Enter'),
    },
    menu: {
      target: (round) => card(round).getByRole('button', { name: /^Options for/u }),
      finish: async () => await page.keyboard.press('Escape'),
    },
    reveal: { target: () => page.locator('button', { hasText: 'Reveal random card' }) },
    'put back': { target: () => secondMove('Put Back') },
    accept: { target: () => secondMove('Accept') },
  }
  for (const [action, { prepare, target, act, finish }] of Object.entries(actions)) {
    const rounds = []
    for (let round = 0; round < ROUNDS; round += 1) {
      await prepare?.(round)
      await target?.(round).hover()
      const { x, y, width, height } = (await target?.(round).boundingBox()) ?? {}
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
      await page.waitForTimeout(QUIET_MS)
      await page.evaluate(() => void (window.slowEvents = []))
      const task = await longestTaskDuring(page, session, async () => {
        await (act ?? (async () => await page.mouse.click(x + width / 2, y + height / 2)))()
        await page.waitForTimeout(QUIET_MS)
      })
      const event = await page.evaluate(() => Math.max(0, ...window.slowEvents))
      rounds.push({ event, task })
      await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
      await finish?.()
    }
    const [event, task] = ['event', 'task'].map((kind) => median(rounds.map((round) => round[kind])))
    report(`${action} ${where}, to the next paint`, ms(event), atMost(event, MOST_MS.paint, ' ms'))
    report(`${action} ${where}, longest task, processor time`, ms(task), atMost(task, MOST_MS.task, ' ms'))
  }
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]
}

async function loadAll(page) {
  await page.getByRole('article').first().waitFor()
  for (let loaded = 0; loaded < CARDS;) {
    loaded = await page.evaluate(() => {
      scrollTo(0, document.body.scrollHeight)
      // Cards that are far from the screen are not in the document.
      const far = [...document.querySelectorAll('[data-cards]')].flatMap(({ dataset }) => dataset.cards.split(' '))
      return document.querySelectorAll('article').length + far.length
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
