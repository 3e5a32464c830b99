import { expect, test } from '../support/journey.ts'
import { signInWithoutForm, register } from '../support/register.ts'
import { cardOf, openWatchlist, untilThingsAreKept } from '../support/watchlist.ts'

import { shoot } from './shoot.ts'

test.use({ serviceWorkers: 'allow' })

test('what waits, what was refused and what a device has kept are photographed', async ({
  page,
  context,
  server,
  aPerson,
}) => {
  const cleo = aPerson('Cleo')
  const asCleo = await register(server, cleo)
  const { id } = await asCleo.watchlist('Cellar cinema')
  await asCleo.card(id, { title: 'Night Tram', status: 'REVEALED' })
  await signInWithoutForm(page, server, cleo)
  await openWatchlist(page, id, 1)
  await untilThingsAreKept(page)
  await page.getByRole('button', { name: 'Account' }).focus()
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('headless-menu')),
  )
  await expect
    .poll(
      async () =>
        await page.evaluate(async () => {
          const hasReplies = (await indexedDB.databases()).some(({ name }) => name === 'marquee-kept')
          return hasReplies && (await caches.match('/index.html')) !== undefined
        }),
    )
    .toBe(true)
  const comments = page.getByRole('region', { name: 'Comments on Night Tram' })
  const list = page.getByRole('region', { name: 'What is not sent yet' })

  await context.setOffline(true)
  await comments.getByRole('button', { name: 'Comment', exact: true }).click()
  await comments.getByRole('textbox', { name: 'Your comment' }).fill('That last shot of the harbour!')
  await comments.getByRole('button', { name: 'Add comment' }).click()
  await expect(list).toBeVisible()
  await shoot(page, 'offline-waiting', { height: 1000 })
  // On a phone it is at the edge of the screen.
  await page.getByRole('button', { name: 'Accept' }).first().click()
  await list.getByRole('button', { name: '2 things wait to be sent' }).click()
  await shoot(page, 'offline-waiting-list', { height: 1000 })
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await shoot(page, 'offline-sign-out')
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.reload()
  await expect(cardOf(page, 'Night Tram')).toBeVisible()
  await expect(page.getByText(/^Last updated .* No connection\.$/u)).toBeVisible()
  await shoot(page, 'offline-kept', { height: 1000 })

  const [tram] = await asCleo.feed(id)
  await asCleo.putBack(id, tram?.id ?? '')
  await context.setOffline(false)
  await list.getByRole('button', { name: /not sent$/u }).click()
  await expect(list.getByText('The movie is no longer there.', { exact: false }).first()).toBeVisible()
  await shoot(page, 'offline-refused', { height: 1000 })

  await page.goto('/account/devices')
  await expect(page.getByText('Keep on this device')).toBeVisible()
  await shoot(page, 'keep-on-this-device', { height: 1000, from: page.getByText('Keep on this device') })
})
