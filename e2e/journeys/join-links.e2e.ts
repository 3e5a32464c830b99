import { expectAccessible } from '../support/accessibility.ts'
import { sendSignUp } from '../support/forms.ts'
import { expect, signIn, test } from '../support/journey.ts'
import { readCode } from '../support/mailbox.ts'
import { register } from '../support/register.ts'

test.describe.configure({ timeout: 90_000 })

test('a friend without an account joins by a link on a phone, and the link is used up', async ({
  page: phone,
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const asAna = await register(server, ana)
  const { id } = await asAna.watchlist('Friday film club')
  const page = await openAs(ana)
  await page.goto(`/watchlists/${id}`)

  const link = await test.step('a member creates a link for one person', async () => {
    await page.getByRole('button', { name: 'Invite by link' }).click()
    await page.getByLabel('Lets in').selectOption('1 person')
    await page.getByRole('button', { name: 'Create a link' }).click()
    await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
    await expectAccessible(page, 'watchlist with a join link')
    return await page.locator('code', { hasText: '/join/' }).innerText()
  })

  await phone.setViewportSize({ width: 390, height: 844 })
  await phone.goto(link)
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText(`${ana.name} invites you to Friday film club`)
  await expectAccessible(phone, 'join link, signed out')

  await test.step('the link survives sign-up, verification and sign-in', async () => {
    await phone.getByRole('link', { name: 'Create an account to join' }).click()
    await sendSignUp(phone, ben)
    await phone.getByLabel('Verification code').fill(await readCode(server.dataDir, ben.email))
    await phone.getByRole('button', { name: 'Verify' }).click()
    await signIn(phone, ben)
    await expect(phone).toHaveURL(link)
  })

  await phone.getByRole('button', { name: 'Join Friday film club' }).click()
  await expect(phone).toHaveURL(`/watchlists/${id}`)
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Friday film club')

  await test.step('the other members see it, and the link lets in no other visitor', async () => {
    await expect(page.getByRole('region', { name: 'Members' }).getByRole('listitem')).toHaveCount(2)
    await expect(page.getByRole('list', { name: 'Open links' })).toHaveCount(0)
    const eve = aPerson('Eve')
    await register(server, eve)
    const evesPage = await openAs(eve)
    await evesPage.goto(link)
    await expect(evesPage.getByText('It has let in as many people as it was made for.')).toBeVisible()
    await expectAccessible(evesPage, 'join link that is used up')
  })
})
