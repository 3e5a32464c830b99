import { ENDPOINTS } from '@marquee/contract/endpoints'

import { expectAccessible, tabTo } from '../support/accessibility.ts'
import { addressOf, failRequests } from '../support/api.ts'
import { sendSignUp } from '../support/forms.ts'
import { expect, test } from '../support/journey.ts'
import { readCode } from '../support/mailbox.ts'
import { aPng } from '../support/png.ts'
import { registerAndSignIn } from '../support/register.ts'
import { openScreen } from '../support/screens.ts'
import { POSTER_URL, seedAs } from '../support/seed.ts'
import { WEEKLY } from '../support/variations.ts'

// Evidence: wcag-1.1.1, wcag-1.3.1, wcag-1.3.5, wcag-1.4.3, wcag-1.4.10, wcag-2.4.4, wcag-2.5.8, wcag-3.3.2, wcag-4.1.2
test('the account screens are accessible', async ({ page, aPerson }) => {
  const ana = aPerson('Ana')

  await page.goto('/auth/login')
  await expectAccessible(page, 'login', { weekly: true })
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveCount(2)
  await expectAccessible(page, 'login with errors')

  await openScreen(page, '/auth/signup')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(page.getByRole('alert')).toHaveCount(3)
  await expectAccessible(page, 'signup with errors')

  await openScreen(page, '/auth/forgot-password')
  await expectAccessible(page, 'forgot password')
  await page.getByLabel('E-mail').fill(ana.email)
  await page.getByRole('button', { name: 'Send instructions' }).click()
  await expect(page.getByRole('status')).toBeVisible()
  await expectAccessible(page, 'forgot password, sent')
  await page.getByRole('button', { name: 'Reset now' }).click()
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByRole('alert')).toHaveCount(2)
  await expectAccessible(page, 'reset password with errors')

  await openScreen(page, '/watchlists/invitation/accept?token=abc')
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  await expectAccessible(page, 'invitation, signed out')

  await openScreen(page, '/auth/signup')
  await sendSignUp(page, ana)
  await page.getByLabel('Verification code').fill('no code')
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page, 'verify with a banner')
})

// Evidence: wcag-1.1.1, wcag-1.3.1, wcag-1.4.3, wcag-1.4.10, wcag-2.4.4, wcag-2.5.8, wcag-3.3.2, wcag-4.1.2
test('the list of watchlists and the menus are accessible', async ({ page, server, aPerson }) => {
  await registerAndSignIn(page, server, aPerson('Ana'))
  await page.goto('/')
  await page.getByRole('button', { name: 'Create watchlist' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page, 'no watchlists, with an error')

  const { watchlist } = await seedAs(page)
  await watchlist('Friday film club', 'Every Friday at eight')
  await watchlist('A'.repeat(120), 'B'.repeat(400))
  await page.goto('/watchlists')
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page, 'watchlists')

  await page.getByRole('button', { name: /switch watchlist$/u }).click()
  await expect(page.getByRole('menuitem', { name: 'Create new' })).toBeVisible()
  await expectAccessible(page, 'watchlist switcher')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Account' }).click()
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
  await expectAccessible(page, 'account menu')
})

// Evidence: wcag-1.1.1, wcag-1.3.1, wcag-1.4.1, wcag-1.4.3, wcag-1.4.10, wcag-2.4.4, wcag-2.5.8, wcag-4.1.2
test('a watchlist is accessible when full, while being edited, and after a failure', async ({
  page,
  server,
  aPerson,
}) => {
  await registerAndSignIn(page, server, aPerson('Ana'))
  const { watchlist, card } = await seedAs(page)
  const { id } = await watchlist('Friday film club')
  await card(id, { title: 'Secret' })
  await card(id, { title: 'Night Tram', status: 'WATCHED', description: 'See https://films.example.org/tram' })
  await card(id, { title: 'Low Tide', status: 'REJECTED', description: 'Long. '.repeat(200) })
  await card(id, { title: 'W'.repeat(200), status: 'REVEALED', description: 'W'.repeat(300) })
  await card(id, { title: 'Gone', status: 'REVEALED', image: 'http://gone.example.org/poster.jpg' })
  await page.goto(`/watchlists/${id}`)
  await expect(page.getByRole('article')).toHaveCount(4)
  await expectAccessible(page, 'a watchlist')

  await page.getByRole('list', { name: 'History' }).first().getByRole('button').last().focus()
  await expect(page.getByRole('tooltip')).toBeVisible()
  await expectAccessible(page, 'a step of the history')

  await page.getByRole('button', { name: 'Edit name' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('')
  await expectAccessible(page, 'editing the name')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Saturday film club')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Watchlist updated successfully!')).toBeVisible()

  await page.getByRole('button', { name: 'Add a movie' }).click()
  await page.getByRole('button', { name: 'Add to watchlist' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page, 'adding a movie, with an error')
  await page.getByText('Upload a file').click()
  await page.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: aPng() })
  await expect(page.getByRole('img', { name: 'Preview of the chosen image' })).toBeVisible()
  await expectAccessible(page, 'adding a movie, with a preview')

  await failRequests(page, addressOf(ENDPOINTS.listCards))
  await page.reload()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectAccessible(page, 'a feed that cannot be loaded')
})

test(
  'an empty watchlist, its plain forms and an invalid invitation are accessible',
  WEEKLY,
  async ({ page, server, aPerson }) => {
    await registerAndSignIn(page, server, aPerson('Ana'))
    const { watchlist } = await seedAs(page)
    const { id } = await watchlist('Friday film club')
    await page.goto(`/watchlists/${id}`)
    await expect(page.getByText('The box is empty')).toBeVisible()
    await expectAccessible(page, 'an empty watchlist')

    await page.goto('/watchlists/create')
    await expect(page.getByRole('heading', { name: 'Create a watchlist' })).toBeVisible()
    await expectAccessible(page, 'create a watchlist')

    await page.goto('/account/change-password')
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(page.getByRole('alert')).toHaveCount(2)
    await expectAccessible(page, 'change password with errors')

    await page.goto('/profile/edit')
    await expect(page.getByRole('heading', { name: 'Edit profile' })).toBeVisible()
    await expectAccessible(page, 'edit profile')

    await page.goto('/watchlists/invitation/accept')
    await expect(page.getByRole('alert')).toBeVisible()
    await expectAccessible(page, 'invitation without a token')

    await failRequests(page, addressOf(ENDPOINTS.getWatchlist, { watchlistId: id }))
    await page.goto(`/watchlists/${id}`)
    await expect(page.getByText('Failed to load watchlist')).toBeVisible()
    await expectAccessible(page, 'a watchlist that cannot be loaded')
  },
)

// Evidence: wcag-1.4.1, wcag-2.1.1, wcag-2.1.2, wcag-2.4.1, wcag-2.4.3, wcag-2.4.7
test('a user signs up, adds, reveals and accepts a movie by keyboard, and always sees the focus', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const { keyboard } = page
  const type = async (label: string, text: string) => {
    await tabTo(
      page,
      page.getByRole('textbox', { name: label, exact: true }).or(page.getByLabel(label, { exact: true })),
    )
    await keyboard.type(text)
  }

  await test.step('the user signs up and in', async () => {
    await page.goto('/auth/signup')
    await expect(page.getByRole('heading', { name: 'Create an account' })).toBeFocused()
    await type('E-mail', ana.email)
    await type('Name', ana.name)
    await type('Password', ana.password)
    await type('Confirm password', ana.password)
    await keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Verify your e-mail' })).toBeFocused()
    await type('Verification code', await readCode(server.dataDir, ana.email))
    await keyboard.press('Enter')
    const password = page.getByLabel('Password', { exact: true })
    await expect(password).toBeFocused()
    await expect(password).toHaveAccessibleDescription('Your e-mail is verified. Please sign in.')
    await keyboard.type(ana.password)
    await keyboard.press('Enter')
    await expect(page).toHaveURL('/watchlists')
  })

  await test.step('the user skips the top bar and creates a watchlist', async () => {
    await tabTo(page, page.getByRole('link', { name: 'Skip to content' }))
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport()
    await keyboard.press('Enter')
    await type('Name', 'Friday film club')
    await keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Friday film club')
  })

  await test.step('the user adds a movie to the box', async () => {
    await tabTo(page, page.getByRole('button', { name: 'Add a movie' }))
    await keyboard.press('Space')
    await expect(page.getByLabel('Title')).toBeFocused()
    await keyboard.type('Night Tram')
    await type('Description', 'The last tram never arrives.')
    await tabTo(page, page.getByRole('radio', { name: 'Image URL' }))
    await keyboard.press('ArrowRight')
    await expect(page.getByRole('radio', { name: 'Upload a file' })).toBeChecked()
    await keyboard.press('ArrowLeft')
    await expect(page.getByRole('radio', { name: 'Image URL' })).toBeChecked()
    await tabTo(page, page.getByRole('textbox', { name: 'Image URL' }))
    await keyboard.type(POSTER_URL)
    const checkbox = page.getByRole('checkbox', { name: 'Reveal immediately after adding' })
    await tabTo(page, checkbox)
    await keyboard.press('Space')
    await expect(checkbox).toBeChecked()
    await keyboard.press('Space')
    await tabTo(page, page.getByRole('button', { name: 'Add to watchlist' }))
    await keyboard.press('Enter')
    await expect(page.getByText('1 card', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add a movie' })).toBeFocused()
  })

  const card = page.getByRole('article', { name: 'Night Tram' })

  await test.step('the user reveals the movie and accepts it', async () => {
    await tabTo(page, page.getByRole('button', { name: 'Reveal random card' }), 'Shift+Tab')
    await keyboard.press('Enter')
    await expect(card).toBeVisible()
    await tabTo(page, card.getByRole('button', { name: 'Accept' }), 'Shift+Tab')
    await keyboard.press('Enter')
    await expect(card.getByText('Watched', { exact: true })).toBeVisible()
    await expect(card).toBeFocused()
  })

  await test.step('the user reads the history and signs out from the menu', async () => {
    await tabTo(page, card.getByRole('list', { name: 'History' }).getByRole('button').last())
    await expect(page.getByRole('tooltip')).toContainText('marked it as watched')
    await tabTo(page, page.getByRole('button', { name: 'Account' }), 'Shift+Tab')
    await keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Manage watchlists' })).toBeVisible()
    await keyboard.press('ArrowDown')
    await keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Account' })).toBeFocused()
    await keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Manage watchlists' })).toBeVisible()
    await keyboard.press('ArrowUp')
    await keyboard.type('sign o')
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toHaveAttribute('data-focus', '')
    await keyboard.press('Enter')
    await expect(page).toHaveURL('/auth/login')
  })
})
