import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Locator, Page } from '@playwright/test'

import { addressOf, failRequests, holdRequests } from '../support/api.ts'
import { expectError } from '../support/forms.ts'
import { expect, test } from '../support/journey.ts'
import { registerAndSignIn } from '../support/register.ts'
import { seedAs } from '../support/seed.ts'
import { WEEKLY } from '../support/variations.ts'

const NOBODYS = '00000000-0000-7000-8000-000000000000'
const today = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })

function switcherOf(page: Page): Locator {
  return page.getByRole('button', { name: /, switch watchlist$/u })
}

test('a user without a watchlist creates the first one on the list screen, and it becomes current', async ({
  page,
  server,
  aPerson,
}) => {
  await registerAndSignIn(page, server, aPerson('Ana'))
  await page.goto('/')
  await expect(page).toHaveURL('/watchlists')
  await expect(page.getByRole('heading', { name: 'Your watchlists' })).toBeVisible()
  await expect(page.getByText('No watchlists yet')).toBeVisible()
  const name = page.getByLabel('Name', { exact: true })
  const submit = page.getByRole('button', { name: 'Create watchlist' })

  await submit.click()
  await expectError(name, 'Watchlist name is required')
  await name.fill('   ')
  await submit.click()
  await expectError(name, 'Watchlist name is required')
  await expect(page.getByLabel('Description')).toHaveAttribute('rows', '3')

  await name.fill('  Friday film club  ')
  await page.getByLabel('Description').fill('  Every Friday at eight  ')
  await submit.click()
  await expect(page).toHaveURL(/\/watchlists\/[0-9a-f-]{36}$/u)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Friday film club')
  await expect(page.getByText('Every Friday at eight', { exact: true })).toBeVisible()
  await expect(switcherOf(page)).toHaveText('Friday film club')

  const itsPlace = new URL(page.url()).pathname
  await page.goto('/')
  await expect(page).toHaveURL(itsPlace)
})

test('opening a watchlist from the list or by its address makes it current', async ({ page, server, aPerson }) => {
  await registerAndSignIn(page, server, aPerson('Ana'))
  const { watchlist } = await seedAs(page)
  const friday = await watchlist('Friday film club', 'Every Friday at eight')
  const sunday = await watchlist('Rainy Sundays')

  const lists = await holdRequests(page, addressOf(ENDPOINTS.listWatchlists))
  await page.goto('/watchlists')
  await expect(page.getByText('Loading your watchlists...')).toBeAttached()
  lists.release()

  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(0)).toContainText('Friday film club')
  await expect(rows.nth(0)).toContainText('Every Friday at eight')
  await expect(rows.nth(0)).toContainText(`Created ${today.format(new Date())}`)
  await expect(rows.nth(0).getByRole('link')).toHaveAttribute('aria-current', 'true')
  await expect(rows.nth(1).getByRole('link')).not.toHaveAttribute('aria-current')

  await rows.nth(1).getByRole('link').click()
  await expect(page).toHaveURL(`/watchlists/${sunday.id}`)
  await expect(switcherOf(page)).toHaveText('Rainy Sundays')
  await page.reload()
  await expect(switcherOf(page)).toHaveText('Rainy Sundays')

  await page.goto(`/watchlists/${friday.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Friday film club')
  await expect(switcherOf(page)).toHaveText('Friday film club')
  await page.getByRole('link', { name: 'Marquee' }).click()
  await expect(page).toHaveURL(`/watchlists/${friday.id}`)
})

test(
  'another watchlist can be created below the list or on its own screen',
  WEEKLY,
  async ({ page, server, aPerson }) => {
    await registerAndSignIn(page, server, aPerson('Ana'))
    const { watchlist } = await seedAs(page)
    await watchlist('Friday film club')
    await page.goto('/watchlists')
    const name = page.getByLabel('Name', { exact: true })

    await test.step('the form below the list can be cancelled', async () => {
      await expect(name).toHaveCount(0)
      await page.getByRole('button', { name: 'Create new watchlist' }).click()
      await expect(name).toBeFocused()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await expect(name).toHaveCount(0)
      await page.getByRole('button', { name: 'Create new watchlist' }).click()
      await name.fill('Rainy Sundays')
      await page.getByRole('button', { name: 'Create watchlist' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rainy Sundays')
    })

    await test.step('the separate screen has a link back and shows a failure of the server', async () => {
      await switcherOf(page).click()
      await page.getByRole('menuitem', { name: 'Create new' }).click()
      await expect(page).toHaveURL('/watchlists/create')
      await expect(page.getByRole('heading', { name: 'Create a watchlist' })).toBeVisible()
      await page.getByRole('link', { name: 'Back to your watchlists' }).click()
      await expect(page).toHaveURL('/watchlists')
      await page.goBack()
      await failRequests(page, addressOf(ENDPOINTS.createWatchlist))
      await name.fill('Silent nights')
      await page.getByRole('button', { name: 'Create watchlist' }).click()
      await expect(page.getByRole('alert')).toHaveText(
        'Failed to create watchlist. Please try again.Server error. Please try again later.',
      )
      await page.unroute(addressOf(ENDPOINTS.createWatchlist))
      await page.getByRole('button', { name: 'Create watchlist' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Silent nights')
    })
  },
)

test('the switcher shortens and marks the current watchlist, and opens the others', async ({
  page,
  server,
  aPerson,
}) => {
  await registerAndSignIn(page, server, aPerson('Ana'))
  const { watchlist, makeCurrent } = await seedAs(page)
  const long = await watchlist('Films that are longer than a whole evening')
  const friday = await watchlist('Friday film club')
  await makeCurrent(long.id)
  await page.goto('/')
  const switcher = switcherOf(page)

  const name = switcher.getByText('Films that are longer')
  await expect(name).toBeVisible()
  const [shown, whole] = await name.evaluate((text) => [text.clientWidth, text.scrollWidth])
  expect(shown).toBeGreaterThan(120)
  expect(shown).toBeLessThanOrEqual(150)
  expect(whole).toBeGreaterThan(150)

  await switcher.click()
  await expect(page.getByRole('menuitem', { name: 'Films that are longer' })).toHaveAttribute('aria-current', 'true')
  await expect(page.getByRole('menuitem', { name: 'Friday film club' })).not.toHaveAttribute('aria-current')
  await page.getByRole('menuitem', { name: 'Friday film club' }).click()
  await expect(page).toHaveURL(`/watchlists/${friday.id}`)
  await expect(switcher).toHaveText('Friday film club')

  await switcher.click()
  await page.getByRole('menuitem', { name: 'Manage watchlists' }).click()
  await expect(page).toHaveURL('/watchlists')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Edit profile' }).click()
  await expect(page).toHaveURL('/profile/edit')
  await page.getByRole('link', { name: 'Done' }).click()
  await expect(page).toHaveURL(`/watchlists/${friday.id}`)
})

test('a member edits the name and description in place', WEEKLY, async ({ page, server, aPerson }) => {
  const ana = aPerson('Ana')
  await registerAndSignIn(page, server, ana)
  const { watchlist } = await seedAs(page)
  const { id } = await watchlist('Friday film club', 'Every Friday at eight')
  await page.goto(`/watchlists/${id}`)
  const title = page.getByRole('heading', { level: 1 })
  const name = page.getByLabel('Name', { exact: true })
  const save = page.getByRole('button', { name: 'Save' })
  const cancel = page.getByRole('button', { name: 'Cancel' })
  await expect(page.getByRole('listitem').filter({ hasText: ana.name })).toContainText('(you)')

  await test.step('an empty name cannot be saved, and Cancel restores the old one', async () => {
    await page.getByRole('button', { name: 'Edit name' }).click()
    await expect(name).toHaveValue('Friday film club')
    await name.fill('   ')
    await expect(save).toBeDisabled()
    await cancel.click()
    await expect(title).toHaveText('Friday film club')
    await page.getByRole('button', { name: 'Edit name' }).click()
    await expect(name).toHaveValue('Friday film club')
  })

  await test.step('a failure is shown and the typed text is kept', async () => {
    await failRequests(page, addressOf(ENDPOINTS.updateWatchlist, { watchlistId: id }))
    await name.fill('  Saturday film club ')
    await save.click()
    await expect(page.getByRole('alert')).toContainText('Failed to update watchlist. Please try again.')
    await expect(name).toHaveValue('  Saturday film club ')
    await page.unroute(addressOf(ENDPOINTS.updateWatchlist, { watchlistId: id }))
  })

  await test.step('the button is disabled while saving, and then the new name is shown everywhere', async () => {
    const update = await holdRequests(page, addressOf(ENDPOINTS.updateWatchlist, { watchlistId: id }))
    await save.click()
    await expect(save).toBeDisabled()
    update.release()
    await expect(page.getByText('Watchlist updated successfully!')).toBeVisible()
    await expect(title).toHaveText('Saturday film club')
    await expect(switcherOf(page)).toHaveText('Saturday film club')
    await expect(page.getByText('Every Friday at eight', { exact: true })).toBeVisible()
  })

  await test.step('the description can be emptied', async () => {
    await page.getByRole('button', { name: 'Edit description' }).click()
    await page.getByLabel('Description').fill(' ')
    await save.click()
    await expect(page.getByText('Watchlist updated successfully!')).toBeVisible()
    await page.reload()
    await expect(page.getByText('No description yet')).toBeVisible()
    await expect(title).toHaveText('Saturday film club')
  })
})

test('an unknown watchlist shows an error and redirects to the list', WEEKLY, async ({ page, server, aPerson }) => {
  await registerAndSignIn(page, server, aPerson('Ana'))
  await page.goto(`/watchlists/${NOBODYS}`)
  await expect(page.getByText('Watchlist not found. Redirecting to your watchlists...')).toBeVisible()

  await page.waitForURL('/watchlists')
})

test('a failure to load shows an error and a way to continue', WEEKLY, async ({ page, server, aPerson }) => {
  await registerAndSignIn(page, server, aPerson('Ana'))
  const { watchlist } = await seedAs(page)
  const { id } = await watchlist('Friday film club')

  await test.step('a failure to load a watchlist is shown', async () => {
    const loading = await holdRequests(page, /\/api\/watchlists/u)
    await page.goto(`/watchlists/${id}`)
    await expect(page.getByText('Loading watchlist...')).toBeVisible()
    await failRequests(page, addressOf(ENDPOINTS.getWatchlist, { watchlistId: id }))
    loading.release()
    await page.goto(`/watchlists/${id}`)
    await expect(page.getByRole('alert')).toContainText('Failed to load watchlist')
    await page.getByRole('button', { name: 'Back to your watchlists' }).click()
    await expect(page).toHaveURL('/watchlists')
  })

  await test.step('a failure to load the list is shown', async () => {
    await failRequests(page, addressOf(ENDPOINTS.listWatchlists))
    await page.reload()
    await expect(page.getByRole('alert')).toContainText('Failed to load your watchlists.')
    await page.unroute(addressOf(ENDPOINTS.listWatchlists))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('main').getByRole('link', { name: 'Friday film club' })).toBeVisible()
  })
})

test('a non-member can read a watchlist but change nothing', WEEKLY, async ({ page, browser, server, aPerson }) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  await registerAndSignIn(page, server, ana)
  const { watchlist, card } = await seedAs(page)
  const { id } = await watchlist('Friday film club', 'Every Friday at eight')
  await card(id, { title: 'Night Tram', status: 'REVEALED' })
  await card(id, { title: 'Secret of the box' })

  const bens = await browser.newContext({ baseURL: server.url })
  const bensPage = await bens.newPage()
  await registerAndSignIn(bensPage, server, ben)
  await bensPage.goto(`/watchlists/${id}`)

  await expect(bensPage.getByRole('heading', { level: 1 })).toHaveText('Friday film club')
  await expect(bensPage.getByText('Every Friday at eight', { exact: true })).toBeVisible()
  await expect(bensPage.getByText(ana.name, { exact: true }).first()).toBeVisible()
  await expect(bensPage.getByText('(you)')).toHaveCount(0)
  await expect(bensPage.getByRole('article')).toHaveCount(1)
  await expect(bensPage.getByRole('article')).toContainText('Night Tram')
  await expect(bensPage.getByText('Only members can change this watchlist.', { exact: false })).toBeVisible()
  for (const name of ['Edit name', 'Edit description', 'Add a movie', 'Add movie', 'Reveal random card', 'Accept']) {
    await expect(bensPage.getByRole('button', { name, exact: true }), name).toHaveCount(0)
  }
  await bens.close()
})

test('the theme follows the system until the user chooses one, and the choice is remembered', async ({
  page,
  server,
  aPerson,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await registerAndSignIn(page, server, aPerson('Ana'))
  await page.goto('/')
  const ground = async () => await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const [dark, light] = ['rgb(18, 16, 20)', 'rgb(250, 247, 242)']
  expect(await ground()).toBe(dark)

  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Light' }).click()
  await expect.poll(ground).toBe(light)
  await page.reload()
  expect(await ground()).toBe(light)

  await page.getByRole('button', { name: 'Account' }).click()
  await expect(page.getByRole('menuitem', { name: 'Light' })).toHaveAttribute('aria-current', 'true')
  await page.getByRole('menuitem', { name: 'System' }).click()
  await expect.poll(ground).toBe(dark)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(ground).toBe(light)
})
