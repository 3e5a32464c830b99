import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Locator, Page } from '@playwright/test'

import { expectAccessible } from '../support/accessibility.ts'
import { addressOf, failRequests, holdRequests, isCallOf } from '../support/api.ts'
import { expectError } from '../support/forms.ts'
import { expect, signIn, test } from '../support/journey.ts'
import { readCode, readInvitationLink } from '../support/mailbox.ts'
import { register } from '../support/register.ts'
import { WEEKLY } from '../support/variations.ts'

const ACCEPT = '/watchlists/invitation/accept'
const BAD_LINK = 'Invalid or expired invitation link'

function inviteForm(page: Page): { username: Locator; submit: Locator } {
  const section = page.getByRole('region', { name: 'Invite someone' })
  return {
    username: section.getByLabel('Username or e-mail'),
    submit: section.getByRole('button', { name: 'Invite', exact: true }),
  }
}

/** The rows of pending invitations. */
function pendingRows(page: Page): Locator {
  return page.getByRole('list', { name: 'Waiting for an answer' }).getByRole('listitem')
}

async function expectToJoin(page: Page, name: string, watchlistId: string): Promise<void> {
  await expect(page.getByText("You've joined the watchlist!")).toBeVisible()
  await expect(page.getByText(`Redirecting to ${name}...`)).toBeVisible()
  await page.waitForURL(`/watchlists/${watchlistId}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
}

test('a signed-out invitee signs in, joins, and can open the link again', async ({ page, server, aPerson }) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const [asAna] = await Promise.all([register(server, ana), register(server, ben)])
  const { id } = await asAna.watchlist('Friday film club')
  const link = `${ACCEPT}?token=${await asAna.invite(id, ben.name)}`

  await page.goto(link)
  await expect(page.getByText('You need to be logged in to accept this invitation.')).toBeVisible()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(`/auth/login?redirect=${encodeURIComponent(link)}`)
  const acceptance = await holdRequests(page, addressOf(ENDPOINTS.acceptInvitation))
  await signIn(page, ben)
  await expect(page).toHaveURL(link)
  await expect(page.getByText('Accepting invitation...')).toBeVisible()
  acceptance.release()
  await expectToJoin(page, 'Friday film club', id)
  await expect(page.getByRole('listitem').filter({ hasText: ben.name })).toContainText('(you)')
  await expect(page.getByRole('button', { name: 'Friday film club, switch watchlist' })).toBeVisible()

  await test.step('accepting twice joins once', async () => {
    await page.goto(link)
    await expectToJoin(page, 'Friday film club', id)
    await expect(page.getByRole('region', { name: 'Members' }).getByRole('listitem')).toHaveCount(2)
  })
})

test('an invitee without an account signs up and joins', WEEKLY, async ({ page, server, aPerson }) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const asAna = await register(server, ana)
  const { id } = await asAna.watchlist('Friday film club')
  // An invitation names a username, so the account must exist first.
  await page.goto(`${ACCEPT}?token=for-ben`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Sign up' }).click()
  // The previous screen has a field with the same name.
  await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
  await page.getByLabel('E-mail').fill(ben.email)
  await page.getByLabel('Name', { exact: true }).fill(ben.name)
  await page.getByLabel('Password', { exact: true }).fill(ben.password)
  await page.getByLabel('Confirm password', { exact: true }).fill(ben.password)
  await page.getByRole('button', { name: 'Sign up' }).click()
  const asked: unknown[] = []
  await page.route(addressOf(ENDPOINTS.acceptInvitation), async (route) => {
    asked.push(route.request().postDataJSON())
    await route.continue({ postData: JSON.stringify({ token: await asAna.invite(id, ben.name) }) })
  })
  await page.getByLabel('Verification code').fill(await readCode(server.dataDir, ben.email))
  await page.getByRole('button', { name: 'Verify' }).click()
  await expectToJoin(page, 'Friday film club', id)
  expect(asked).toEqual([{ token: 'for-ben' }])
})

test(
  'an invalid link shows an error and a link to the watchlists',
  WEEKLY,
  async ({ page, server, openAs, aPerson }) => {
    const [ana, ben, eve] = [aPerson('Ana'), aPerson('Ben'), aPerson('Eve')]
    const [asAna] = await Promise.all([register(server, ana), register(server, ben), register(server, eve)])
    const { id } = await asAna.watchlist('Friday film club')
    const bensToken = await asAna.invite(id, ben.name)
    const evesPage = await openAs(eve)
    const alert = evesPage.getByRole('alert')

    for (const query of ['', '?token=', '?token=%20', '?token=unknown']) {
      await test.step(`${ACCEPT}${query}`, async () => {
        await evesPage.goto(`${ACCEPT}${query}`)
        await expect(alert).toHaveText(BAD_LINK)
        await expect(evesPage.getByText('joined', { exact: false })).toHaveCount(0)
      })
    }
    await evesPage.getByRole('link', { name: 'Back to watchlists' }).click()
    await expect(evesPage).toHaveURL('/watchlists')
    await expect(evesPage.getByText('No watchlists yet')).toBeVisible()

    await test.step('a user in the wrong account sees whose invitation it is, switches accounts and joins', async () => {
      const link = `${ACCEPT}?token=${bensToken}`
      await evesPage.goto(link)
      await expect(alert).toContainText(`This invitation is for ${ben.name}.`)
      await expect(alert).toContainText(`You are signed in as ${eve.name}.`)
      await evesPage.getByRole('button', { name: 'Switch account' }).click()
      await expect(evesPage).toHaveURL(`/auth/login?redirect=${encodeURIComponent(link)}`)
      await signIn(evesPage, ben)
      await expectToJoin(evesPage, 'Friday film club', id)
    })

    await test.step('the user can try again if the server does not reply', async () => {
      await page.goto('/auth/login')
      await signIn(page, ben)
      await page.route(addressOf(ENDPOINTS.acceptInvitation), async (route) => await route.abort())
      await page.goto(`${ACCEPT}?token=${bensToken}`)
      await expect(page.getByRole('alert')).toContainText('Network error. Please check your connection.')
      await page.unroute(addressOf(ENDPOINTS.acceptInvitation))
      await page.getByRole('button', { name: 'Try again' }).click()
      await expectToJoin(page, 'Friday film club', id)
    })
  },
)

test(
  'a new member whose watchlists cannot be refreshed sees a message',
  WEEKLY,
  async ({ server, openAs, aPerson }) => {
    const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
    const [asAna] = await Promise.all([register(server, ana), register(server, ben)])
    const { id } = await asAna.watchlist('Friday film club')
    const token = await asAna.invite(id, ben.name)
    const page = await openAs(ben)
    await failRequests(page, addressOf(ENDPOINTS.listWatchlists), 404)

    await page.goto(`${ACCEPT}?token=${token}`)
    await expect(page.getByText("You've joined the watchlist!")).toBeVisible()
    await expect(page.getByRole('alert')).toContainText('Your watchlists could not be refreshed.')
    await expectAccessible(page, 'an accepted invitation')
    await page.unroute(addressOf(ENDPOINTS.listWatchlists))
    await page.getByRole('link', { name: 'Open Friday film club' }).click()
    await expect(page).toHaveURL(`/watchlists/${id}`)
  },
)

test('a member invites by username and copies the link, and the mailed link works', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const [asAna] = await Promise.all([register(server, ana), register(server, ben)])
  const { id } = await asAna.watchlist('Friday film club')
  const page = await openAs(ana)
  await page.goto(`/watchlists/${id}`)
  const { username, submit } = inviteForm(page)
  const section = page.getByRole('region', { name: 'Invite someone' })

  await test.step('an empty name, an unknown user and an existing member are rejected', async () => {
    let asked = 0
    page.on('request', (request) => {
      if (isCallOf(request, ENDPOINTS.inviteUser)) asked += 1
    })
    await username.fill('   ')
    await submit.click()
    await expectError(username, 'Username is required')
    expect(asked).toBe(0)
    await username.fill('No such user')
    await submit.click()
    await expect(section.getByRole('alert')).toHaveText('There is no user with this username')
    await username.fill(ana.name)
    await submit.click()
    await expect(section.getByRole('alert')).toHaveText('You are already a member of this watchlist')
    expect(asked).toBe(2)
  })

  await test.step('a failure without a message gets a default message', async () => {
    await failRequests(page, addressOf(ENDPOINTS.inviteUser))
    await username.fill(ben.name)
    await submit.click()
    await expect(section.getByRole('alert')).toContainText(
      'Failed to send invitation. Please check the username and try again.',
    )
    await page.unroute(addressOf(ENDPOINTS.inviteUser))
  })

  await test.step('an invitation is sent, and its link is copied', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url })
    await username.fill(`  ${ben.name}  `)
    await submit.click()
    await expect(section.getByText('Invitation sent successfully!')).toBeVisible()
    await expect(username).toHaveValue('')
    await expect(section.getByRole('alert')).toHaveCount(0)
    await section.getByRole('button', { name: 'Copy invitation link' }).click()
    await expect(section.getByRole('button', { name: 'Link copied' })).toBeVisible()
    const copied = await page.evaluate(async () => await navigator.clipboard.readText())
    expect(copied).toBe(await readInvitationLink(server.dataDir, ben.email, 2))
  })

  await test.step('Ben joins with the mailed link', async () => {
    const bensPage = await openAs(ben)
    await bensPage.goto(await readInvitationLink(server.dataDir, ben.email, 2))
    await expectToJoin(bensPage, 'Friday film club', id)
    await username.fill(ben.name)
    await submit.click()
    await expect(section.getByRole('alert')).toHaveText('This user is already a member of this watchlist')
  })
})

test(
  'a pending invitation is listed, gets a new link, and can be withdrawn',
  WEEKLY,
  async ({ server, openAs, aPerson }) => {
    const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
    const [asAna, asBen] = await Promise.all([register(server, ana), register(server, ben)])
    const { id } = await asAna.watchlist('Friday film club')
    const first = await asAna.invite(id, ben.name)
    const page = await openAs(ana)
    await page.goto(`/watchlists/${id}`)
    const dialog = page.getByRole('dialog', { name: ben.name })
    await page.getByRole('button', { name: '1 invitation is waiting' }).click()
    await expect(pendingRows(page)).toHaveCount(1)
    await expect(pendingRows(page)).toContainText(`Invited by ${ana.name} · expires`)

    await test.step('a new link replaces the old one', async () => {
      await page.getByRole('button', { name: `${ben.name}’s invitation link` }).click()
      await expect(dialog).toContainText('The link sent before stops working.')
      await dialog.getByRole('button', { name: 'Create a new link' }).click()
      await expect(page.getByText('Invitation sent successfully!')).toBeVisible()
      await expect(asBen.accept(first)).rejects.toThrow('404')
    })
    const last = await asAna.invite(id, ben.name)

    await test.step('withdrawing asks first', async () => {
      const withdraw = page.getByRole('button', { name: `Withdraw ${ben.name}’s invitation` })
      await withdraw.click()
      await expect(dialog).toHaveAccessibleName(`Withdraw ${ben.name}’s invitation?`)
      await dialog.getByRole('button', { name: 'Keep it' }).click()
      await expect(dialog).toHaveCount(0)
      await expect(withdraw).toBeFocused()
      await withdraw.click()
      await dialog.getByRole('button', { name: 'Withdraw' }).click()
      await expect(page.getByText(`${ben.name}’s invitation was withdrawn.`)).toBeVisible()
      await expect(pendingRows(page)).toHaveCount(0)
      await expect(asBen.accept(last)).rejects.toThrow('404')
    })
  },
)

test('pending invitations can be accepted and declined above the notifications', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const [asAna] = await Promise.all([register(server, ana), register(server, ben)])
  const [friday, sunday] = [await asAna.watchlist('Friday film club'), await asAna.watchlist('Rainy Sundays')]
  for (const { id } of [friday, sunday]) await asAna.invite(id, ben.name)
  const page = await openAs(ben)
  await page.goto('/')

  await test.step('a user without a watchlist sees the invitations on the first screen', async () => {
    const waiting = page.getByRole('main').getByRole('region', { name: 'Invitations' })
    await expect(waiting.getByText(`${ana.name} invites you to Friday film club`)).toBeVisible()
    await expect(waiting.getByRole('listitem')).toHaveCount(2)
  })

  await page.goto('/profile/edit')
  await page.getByRole('link', { name: 'Notifications, 2 unread' }).click()
  const decline = page.getByRole('button', { name: 'Decline the invitation to Rainy Sundays' })
  await decline.click()
  await expect(page.getByText('Decline? You will need a new invitation to join.')).toBeVisible()
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await expect(decline).toBeFocused()
  await decline.click()
  await page.getByRole('button', { name: 'Yes, decline' }).click()
  await expect(page.getByText('You declined the invitation to Rainy Sundays.')).toBeVisible()
  await expect(decline).toHaveCount(0)

  await page.getByRole('button', { name: 'Accept the invitation to Friday film club' }).click()
  await expect(page).toHaveURL(`/watchlists/${friday.id}`)
  await expect(page.getByRole('listitem').filter({ hasText: ben.name })).toContainText('(you)')
  await expect(page.getByRole('button', { name: 'Friday film club, switch watchlist' })).toBeVisible()
  await page.getByRole('link', { name: /^Notifications/u }).click()
  await expect(page.getByRole('heading', { name: 'Notifications', level: 1 })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Invitations' })).toHaveCount(0)
})
