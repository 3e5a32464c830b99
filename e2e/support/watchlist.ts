import type { Locator, Page } from '@playwright/test'

import { expect, type Person } from './journey.ts'
import { register } from './register.ts'
import { join, type Seeder } from './seed.ts'
import type { RunningServer } from './server.ts'

export type SharedWatchlist = { id: string; asOwner: Seeder; asGuests: Seeder[] }

/** A watchlist of the first person that the others have joined. */
export async function shareWatchlist(
  server: RunningServer,
  [owner, ...guests]: [Person, ...Person[]],
): Promise<SharedWatchlist> {
  const [asOwner, ...asGuests] = await Promise.all([
    register(server, owner),
    ...guests.map(async (guest) => await register(server, guest)),
  ])
  const { id } = await asOwner.watchlist('Friday film club')
  for (const [index, asGuest] of asGuests.entries()) await join(id, asOwner, asGuest, guests[index]?.name ?? '')
  return { id, asOwner, asGuests }
}

/** Stands on a watchlist whose cards are there. */
export async function openWatchlist(page: Page, id: string, cards: number): Promise<void> {
  await page.goto(`/watchlists/${id}`)
  await expect(page.getByRole('article')).toHaveCount(cards)
}

export function cardOf(page: Page, title: string): Locator {
  return page.getByRole('article', { name: title })
}
