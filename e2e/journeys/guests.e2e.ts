import { expect, signIn, test } from '../support/journey.ts'
import { register } from '../support/register.ts'
import { WEEKLY } from '../support/variations.ts'
import { showRevealed } from '../support/watchlist.ts'

test('a guest can read a public watchlist by its link, see live changes, and sign in', async ({
  browser,
  startWith,
  aPerson,
}) => {
  const server = await startWith({ ALLOW_GUESTS: 'on' })
  const ana = aPerson('Ana')
  const asAna = await register(server, ana)
  const { id } = await asAna.watchlist('Friday film club')
  const card = await asAna.card(id, { title: 'Stalker', status: 'REVEALED' })
  await asAna.card(id, { title: 'A secret of the box' })
  await asAna.comment(id, card.id, 'Tonight?')
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()

  await test.step('a private watchlist and an unknown one show the same error', async () => {
    const secret = await asAna.watchlist('Secret film club')
    await asAna.makePrivate(secret.id)
    for (const watchlist of [secret.id, 'there-is-none-such']) {
      await page.goto(`/watchlists/${watchlist}`)
      await expect(page.getByText('Watchlist not found. Redirecting to your watchlists...')).toBeVisible()
    }
  })

  await test.step('the guest sees the cards and cannot change them', async () => {
    await page.goto(`/watchlists/${id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Friday film club')
    await expect(page.getByRole('heading', { name: 'Stalker' })).toBeVisible()
    await expect(page.getByText('Tonight?')).toBeVisible()
    await expect(page.getByText('You can look around. Only members can change this watchlist.')).toBeVisible()
    await expect(page.getByText('A secret of the box')).toBeHidden()
    for (const name of ['Add a movie', 'Accept', 'Put Back', 'Invite', 'Account']) {
      await expect(page.getByRole('button', { name })).toBeHidden()
    }
  })

  await test.step('a newly revealed card appears', async () => {
    await asAna.card(id, { title: 'Solaris', status: 'REVEALED' })
    await showRevealed(page)
    await expect(page.getByRole('heading', { name: 'Solaris' })).toBeVisible()
  })

  await test.step('signing in returns the user to the watchlist as its member', async () => {
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, ana)
    await expect(page).toHaveURL(`/watchlists/${id}`)
    await expect(page.getByRole('button', { name: 'Add a movie' }).first()).toBeVisible()
  })
  await context.close()
})

test('a guest is asked to sign in on every other screen', WEEKLY, async ({ browser, startWith }) => {
  const server = await startWith({ ALLOW_GUESTS: 'on' })
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()

  for (const path of ['/watchlists', '/watchlists/create', '/profile/edit']) {
    await page.goto(path)
    await expect(page).toHaveURL(`/auth/login?redirect=${encodeURIComponent(path)}`)
  }
  await context.close()
})
