import type { Page } from '@playwright/test'

import { expect, test } from '../support/journey.ts'
import { registerAndSignIn } from '../support/register.ts'
import { seedAs } from '../support/seed.ts'
import { openWatchlist } from '../support/watchlist.ts'

/** JavaScript that a first view may load, in bytes as sent: the budgets of bench/web.mjs. */
const BUDGET = { login: 160_000, watchlist: 220_000 }

async function javaScriptOf(page: Page): Promise<number> {
  return await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  )
}

test('a first view stays within its JavaScript budget', async ({ page, server, aPerson }) => {
  await page.goto('/auth/login')
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible()
  const login = await javaScriptOf(page)
  expect(login).toBeGreaterThan(0)
  expect(login).toBeLessThan(BUDGET.login)

  await registerAndSignIn(page, server, aPerson('Ana'))
  const seeder = await seedAs(page)
  const { id } = await seeder.watchlist('Friday film club')
  await seeder.card(id, { title: 'Night Tram', status: 'REVEALED' })
  await openWatchlist(page, id, 1)
  expect(await javaScriptOf(page)).toBeLessThan(BUDGET.watchlist)
})
