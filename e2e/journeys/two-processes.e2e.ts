import type { Page } from '@playwright/test'

import { expect, signIn } from '../support/journey.ts'
import { test } from '../support/own-server.ts'
import { registerAndSignIn } from '../support/register.ts'
import { idTokenOf, seedAs, seedWith } from '../support/seed.ts'
import { cardOf, shareWatchlist } from '../support/watchlist.ts'

/** Stands on a watchlist and hears what happens there. */
async function listenTo(page: Page, url: string, id: string): Promise<void> {
  const stream = page.waitForResponse((response) => response.url().endsWith(`/watchlists/${id}/events`))
  await page.goto(`${url}/watchlists/${id}`)
  await stream
}

/** From now on the page remembers every failure that it shows; it forgets them when it is loaded anew. */
async function watchFailures(page: Page): Promise<{ shown: () => Promise<string[]> }> {
  await page.evaluate(() => {
    const failures = new Set<string>()
    new MutationObserver(() => {
      const banner = [...document.querySelectorAll('[role=status]')].filter(({ textContent }) =>
        textContent.includes('cannot be reached'),
      )
      for (const { textContent } of [...document.querySelectorAll('[role=alert]'), ...banner]) failures.add(textContent)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
    Object.assign(globalThis, { failures })
  })
  return {
    shown: async () => await page.evaluate(() => [...(globalThis as unknown as { failures: Set<string> }).failures]),
  }
}

test('what either process is asked for appears on a screen that listens to one of them', async ({
  page,
  server,
  aPerson,
}) => {
  await registerAndSignIn(page, server, aPerson('Ana'))
  const { id } = await (await seedAs(page)).watchlist('Friday film club')
  await listenTo(page, server.url, id)
  const idToken = await idTokenOf(page)

  for (const [place, { url }] of server.processes().entries()) {
    await seedWith(url, idToken).card(id, { title: `Film ${place}`, status: 'REVEALED' })
    await expect(cardOf(page, `Film ${place}`)).toBeVisible()
  }

  expect(server.processes()).toHaveLength(2)
})

test('while one process after the other is replaced people go on, and are shown no failure', async ({
  page,
  startWith,
  aPerson,
}) => {
  const server = await startWith({})
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asGuests } = await shareWatchlist(server, [ana, ben])
  const [asBen] = asGuests
  if (asBen === undefined) throw new Error('Ben is a guest')
  await page.goto(`${server.url}/auth/login`)
  await signIn(page, ana)
  await listenTo(page, server.url, id)
  const failures = await watchFailures(page)

  for (const place of [0, 1]) {
    const [secret, told] = [`Secret ${place}`, `Told ${place}`]
    await asBen.card(id, { title: secret })
    await server.endProcess(place)
    await asBen.card(id, { title: told, status: 'REVEALED' })

    await expect(cardOf(page, told)).toBeVisible()
    await page.getByRole('button', { name: 'Reveal random card' }).click()
    await expect(cardOf(page, secret)).toBeVisible()
    await cardOf(page, secret).getByRole('button', { name: 'Accept' }).click()
    await expect(cardOf(page, secret).getByText('Watched', { exact: true })).toBeVisible()
    await server.startProcess(place)
  }

  expect(await failures.shown()).toEqual([])
})
