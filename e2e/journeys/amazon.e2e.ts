import { accountsAt, STAND_IN } from '../support/installations.ts'
import { expect, signIn, signUpAndIn, test } from '../support/journey.ts'
import { readInvitationLink } from '../support/mailbox.ts'
import { register } from '../support/register.ts'

test('users of an external user pool sign up, sign in, invite, join and sign out with the same web build', async ({
  browser,
  startWith,
  aPerson,
}) => {
  // It starts three servers and two browsers.
  test.slow()
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  // Amazon allows no spaces in usernames.
  for (const person of [ana, ben]) person.name = person.name.replace(' ', '-')
  const pool = await startWith(STAND_IN)
  const app = await startWith(await accountsAt(pool))
  await register(pool, ben)
  const context = await browser.newContext({ baseURL: app.url })
  const page = await context.newPage()
  const askedOfIdentityPool: string[] = []
  page.on('request', (request) => {
    const target = request.headers()['x-amz-target'] ?? ''
    if (request.method() === 'POST' && target.startsWith('AWSCognitoIdentityService.')) {
      askedOfIdentityPool.push(`${new URL(request.url()).origin} ${target.split('.')[1] ?? ''}`)
    }
  })

  await test.step('Ana signs up with the code from the pool’s mail, and signs in', async () => {
    await signUpAndIn(page, pool, ana)
    await expect(page).toHaveURL('/watchlists')
    expect(new Set(askedOfIdentityPool)).toEqual(
      new Set([`${pool.url} GetId`, `${pool.url} GetCredentialsForIdentity`]),
    )
  })

  await test.step('the account page offers only what that pool supports', async () => {
    await page.goto('/account/security')
    for (const shown of ['Passkeys', 'Authenticator app', 'E-mail']) {
      await expect(page.getByRole('heading', { name: shown, exact: true })).toBeVisible()
    }
    await expect(page.getByText('You have no passkey yet.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Code by e-mail' })).toBeHidden()
    await expect(page.getByRole('link', { name: 'Tokens' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Your data' })).toBeHidden()
  })

  await test.step('Ana invites Ben, whom the server finds in the pool and notifies by mail', async () => {
    await page.goto('/watchlists/create')
    await page.getByLabel('Name').fill('Friday film club')
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Friday film club')
    const section = page.getByRole('region', { name: 'Invite someone' })
    await section.getByLabel('Username or e-mail').fill(ben.name.toUpperCase())
    await section.getByRole('button', { name: 'Invite', exact: true }).click()
    await expect(page.getByText('Invitation sent successfully!')).toBeVisible()
  })

  const others = await browser.newContext({ baseURL: app.url })
  await test.step('Ben follows the link in his mail, signs in at the pool, and joins', async () => {
    const link = await readInvitationLink(app.dataDir, ben.email, 1)
    const bens = await others.newPage()
    await bens.goto(link)
    await bens.getByRole('link', { name: 'Sign in' }).click()
    await signIn(bens, ben)
    await expect(bens.getByRole('heading', { level: 1 })).toHaveText('Friday film club')
    await expect(bens.getByRole('listitem').filter({ hasText: ben.name })).toContainText('(you)')
  })

  await test.step('Ana signs out, and the pool revokes her tokens', async () => {
    const revoked = page.waitForResponse(
      (response) => response.request().headers()['x-amz-target']?.endsWith('.RevokeToken') === true,
    )
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    expect((await revoked).url()).toBe(`${pool.url}/identity/`)
    await expect(page).toHaveURL('/auth/login')
  })
  await context.close()
  await others.close()
})
