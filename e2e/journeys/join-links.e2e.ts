import { expectAccessible } from '../support/accessibility.ts'
import { sendSignUp } from '../support/forms.ts'
import { expect, signIn, test } from '../support/journey.ts'
import { readCode, readConfirmationLink, readJoinLink } from '../support/mailbox.ts'
import { register } from '../support/register.ts'

test('a friend without an account joins by a link on a phone, which uses up the link', async ({
  page: phone,
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const asAna = await register(server, ana)
  const { id } = await asAna.watchlist('Friday film club')
  const page = await openAs(ana)
  await page.goto(`/watchlists/${id}/club`)

  const shown = page.locator('code', { hasText: '/join/' })
  const openInvite = async () => await page.getByRole('button', { name: 'Invite', exact: true }).click()

  const link = await test.step('a member creates a link for one person', async () => {
    await openInvite()
    await expect(page.getByText(/, for 10 more people\.$/u)).toBeVisible()
    await expectAccessible(page, 'invite dialog with a link')
    await page.getByRole('button', { name: 'Other links' }).click()
    await page.getByLabel('Can be used by').selectOption('1 person')
    await page.getByRole('button', { name: 'Create a link' }).click()
    await expect(page.getByText(/, for 1 more person\.$/u)).toBeVisible()
    return await shown.innerText()
  })

  await test.step('the link is still there after a reload', async () => {
    await page.reload()
    await openInvite()
    await expect(shown).toHaveText(link)
    await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
    await page.getByRole('button', { name: 'Other links' }).click()
    await expect(page.getByRole('list', { name: 'Open links' }).getByRole('listitem')).toHaveCount(2)
    await page.keyboard.press('Escape')
  })

  await phone.setViewportSize({ width: 390, height: 844 })
  await phone.goto(link)
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText(`${ana.name} invites you to Friday film club`)
  await expectAccessible(phone, 'join link, signed out')

  await test.step('the sign-up and the code are enough to join', async () => {
    await phone.getByRole('link', { name: 'Create an account to join' }).click()
    await sendSignUp(phone, ben)
    await phone.getByLabel('Verification code').fill(await readCode(server.dataDir, ben.email))
    await phone.getByRole('button', { name: 'Verify' }).click()
  })
  await expect(phone).toHaveURL(`/watchlists/${id}`)
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Friday film club')

  await test.step('the other members see the friend, and the link admits no other visitor', async () => {
    await expect(page.getByRole('region', { name: 'Members' }).getByRole('listitem')).toHaveCount(2)
    const eve = aPerson('Eve')
    await register(server, eve)
    const evesPage = await openAs(eve)
    await evesPage.goto(link)
    await expect(evesPage.getByText('It has been used by as many people as allowed.')).toBeVisible()
    await expectAccessible(evesPage, 'join link that is used up', { weekly: true })
  })
})

test('invited friends can join from the confirmation link, in any browser', async ({ browser, startWith, aPerson }) => {
  const [ana, ben, cem] = [aPerson('Ana'), aPerson('Ben'), aPerson('Cem')]
  const settings = { REGISTRATION: 'open', VERIFICATION: 'code' }
  const server = await startWith(settings)
  const asAna = await register(server, ana)
  const { id } = await asAna.watchlist('Friday film club')
  const path = `/join/${await asAna.joinLink(id)}`
  // The first account was created before registration is restricted.
  Object.assign(settings, { REGISTRATION: 'invited', VERIFICATION: 'link' })
  await server.killAndRestart()
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 390, height: 844 } })
  const phone = await context.newPage()
  const laptop = await browser.newPage({ baseURL: server.url })

  await test.step('a visitor without a link cannot sign up', async () => {
    await phone.goto('/auth/signup')
    await expect(phone.getByText('Only friends with an invite link can create an account here.')).toBeVisible()
    await expectAccessible(phone, 'sign-up for invited visitors', { weekly: true })
  })

  await test.step('a friend signs up on a phone, verifies on a laptop, and joins there', async () => {
    await phone.goto(path)
    await phone.getByRole('link', { name: 'Create an account to join' }).click()
    await sendSignUp(phone, ben)
    await laptop.goto(await readConfirmationLink(server.dataDir, ben.email))
    await laptop.getByRole('button', { name: 'Verify' }).click()
    await signIn(laptop, ben)
    await expect(laptop).toHaveURL(path)
    await laptop.getByRole('button', { name: 'Join Friday film club' }).click()
    await expect(laptop).toHaveURL(`/watchlists/${id}`)
    await expect(laptop.getByRole('region', { name: 'Members' }).getByRole('listitem')).toHaveCount(2)
  })

  await test.step('another friend opens the link in the browser of the sign-up, and both tabs are signed in', async () => {
    await phone.goto(path)
    await phone.getByRole('link', { name: 'Create an account to join' }).click()
    await sendSignUp(phone, cem)
    const mail = await context.newPage()
    await mail.goto(await readConfirmationLink(server.dataDir, cem.email))
    await mail.getByRole('button', { name: 'Verify' }).click()

    await expect(phone).toHaveURL(`/watchlists/${id}`)
    await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Friday film club')
    await expect(mail).not.toHaveURL(/\/auth\//u)
  })
  await Promise.all([context.close(), laptop.close()])
})

test('a friend who is invited by mail joins with a name, a password and the code', async ({
  page,
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const asAna = await register(server, ana)
  const { id } = await asAna.watchlist('Friday film club')
  const anas = await openAs(ana)
  await anas.goto(`/watchlists/${id}`)
  await anas.getByLabel('Username or e-mail').fill(ben.email)
  await anas.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(anas.getByText('The link in the mail works once')).toBeVisible()
  await anas.getByRole('button', { name: '1 invitation is waiting' }).click()
  const pending = anas.getByRole('list', { name: 'Waiting for an answer' })
  await expect(pending).toContainText(`Invitation sent to ${ben.email}`)
  await expectAccessible(anas, 'watchlist with an invitation by mail', { weekly: true })

  const link = await readJoinLink(server.dataDir, ben.email)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(link)
  // A link that is passed on does not have the address.
  await expect(page).toHaveURL(/\/join\/[\w-]+$/u)
  await page.getByRole('link', { name: 'Create an account to join' }).click()
  await expect(page.getByLabel('E-mail')).toHaveValue(ben.email)
  await page.getByLabel('Name').fill(ben.name)
  await page.getByLabel('Password', { exact: true }).fill(ben.password)
  await page.getByLabel('Confirm password').fill(ben.password)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByLabel('Verification code').fill(await readCode(server.dataDir, ben.email))
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page).toHaveURL(`/watchlists/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Friday film club')
  await expect(pending).toHaveCount(0)
  await page.goto(link)
  await expect(page).toHaveURL(`/watchlists/${id}`)
})
