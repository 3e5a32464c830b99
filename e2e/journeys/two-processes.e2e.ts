import type { Page } from '@playwright/test'

import { expect, test } from '../support/journey.ts'
import { registerAndSignIn, signInWithoutForm } from '../support/register.ts'
import { idTokenOf, seedAs, seedWith } from '../support/seed.ts'
import { cardOf, openLiveWatchlist, shareWatchlist, showRevealed } from '../support/watchlist.ts'

/** Makes the page record every failure that it shows. A reload clears the record. */
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

test('a change made through either process appears on a screen connected to one of them', async ({
  page,
  server,
  aPerson,
}) => {
  await registerAndSignIn(page, server, aPerson('Ana'))
  const { id } = await (await seedAs(page)).watchlist('Friday film club')
  await openLiveWatchlist(page, id, 0)
  const idToken = await idTokenOf(page)

  for (const [place, { url }] of server.processes().entries()) {
    await seedWith(url, idToken).card(id, { title: `Film ${place}`, status: 'REVEALED' })
    await expect(cardOf(page, `Film ${place}`)).toBeVisible()
  }

  expect(server.processes()).toHaveLength(2)
})

test('users see no failure while the processes are replaced one after the other', async ({
  page,
  startWith,
  aPerson,
}) => {
  const server = await startWith({})
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asMembers } = await shareWatchlist(server, [ana, ben])
  const [asBen] = asMembers
  if (asBen === undefined) throw new Error('Ben is a member')
  await signInWithoutForm(page, server, ana)
  await openLiveWatchlist(page, id, 0, server.url)
  const failures = await watchFailures(page)

  for (const place of [0, 1]) {
    const [secret, revealed] = [`Secret ${place}`, `Revealed ${place}`]
    await asBen.card(id, { title: secret })
    await server.endProcess(place)
    await asBen.card(id, { title: revealed, status: 'REVEALED' })

    await showRevealed(page)
    await expect(cardOf(page, revealed)).toBeVisible()
    await page.getByRole('button', { name: 'Reveal random card' }).click()
    await expect(cardOf(page, secret)).toBeVisible()
    await cardOf(page, secret).getByRole('button', { name: 'Accept' }).click()
    await expect(cardOf(page, secret).getByText('Watched', { exact: true })).toBeVisible()
    await server.startProcess(place)
  }

  expect(await failures.shown()).toEqual([])
})
