import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Locator, Page } from '@playwright/test'

import { answerTo } from './api.ts'
import { expect, type Person } from './journey.ts'
import { register } from './register.ts'
import { join, type Seeder } from './seed.ts'
import type { RunningServer } from './server.ts'

export type SharedWatchlist = { id: string; asOwner: Seeder; asMembers: Seeder[] }

/** Creates the accounts, and a watchlist of the first user that the others join. */
export async function shareWatchlist(
  server: RunningServer,
  [owner, ...members]: [Person, ...Person[]],
): Promise<SharedWatchlist> {
  const [asOwner, ...asMembers] = await Promise.all([
    register(server, owner),
    ...members.map(async (guest) => await register(server, guest)),
  ])
  const { id } = await asOwner.watchlist('Friday film club')
  for (const [index, asMember] of asMembers.entries()) await join(id, asOwner, asMember, members[index]?.name ?? '')
  return { id, asOwner, asMembers }
}

/** Opens a watchlist, by default on the worker's server, and waits for its cards. */
export async function openWatchlist(page: Page, id: string, cards: number, origin = ''): Promise<void> {
  await page.goto(`${origin}/watchlists/${id}`)
  await expect(page.getByRole('article')).toHaveCount(cards)
}

/** The same, and waits until the event stream is open. */
export async function openLiveWatchlist(page: Page, id: string, cards: number, origin = ''): Promise<void> {
  const stream = answerTo(page, ENDPOINTS.watchlistEvents)
  await openWatchlist(page, id, cards, origin)
  await stream
}

/** Opens the row of a movie that was watched or rejected. */
export async function openRow(page: Page, title: string): Promise<void> {
  await cardOf(page, title).getByRole('button', { name: title, expanded: false }).click()
}

/** Asks for the card that another member has revealed. */
export async function showRevealed(page: Page): Promise<void> {
  const notice = page.getByRole('complementary', { name: 'Just revealed' })
  await notice.getByRole('button', { name: 'Show' }).click()
  await expect(notice).toHaveCount(0)
}

export function cardOf(page: Page, title: string): Locator {
  return page.getByRole('article', { name: title })
}

const KEEPING = ['open-outbox', 'waiting-part-', 'waiting-parts-', 'comment-form', 'viewing-panel', 'card-forms']

/** Waits until the app keeps what is done without a connection, and has loaded the forms for it. */
export async function untilThingsAreKept(page: Page): Promise<void> {
  await page.waitForFunction((names) => {
    const files = performance.getEntriesByType('resource')
    return names.every((name) => files.some((file) => file.name.includes(name)))
  }, KEEPING)
  await expect
    .poll(async () => await page.evaluate(async () => (await navigator.locks.query()).held?.map(({ name }) => name)))
    .toContainEqual(expect.stringMatching(/^marquee-outbox-tab-/u))
}
