import { expectAccessible } from '../support/accessibility.ts'
import { fillSignUp, sendPassword } from '../support/forms.ts'
import { expect } from '../support/journey.ts'
import { test } from '../support/other-tool.ts'
import { register } from '../support/register.ts'

// Evidence: asvs-10.7.2
test('a sign-in to another tool survives the sign-up of a new user, and an unregistered tool gets no redirect', async ({
  page,
  aPerson,
  startWith,
  tool,
}) => {
  const ana = aPerson('Ana')
  const server = await startWith({ OAUTH_CLIENTS: tool.registration })

  await test.step('an unregistered tool gets an error page of this server', async () => {
    const url = new URL(tool.signInAt(server.url))
    url.searchParams.set('redirect_uri', 'https://evil.example.org/')
    await page.goto(url.href)
    await expect(page.getByRole('alert')).toContainText('an address that is not registered here')
    await expectAccessible(page, 'a sign-in that cannot continue')
    url.searchParams.set('client_id', 'unknown')
    await page.goto(url.href)
    await expect(page.getByRole('alert')).toContainText('not registered here')
    expect(new URL(page.url()).origin).toBe(server.url)
  })

  await page.goto(tool.signInAt(server.url))
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'Sign up' }).click()
  await fillSignUp(page, server, ana)

  await expect(page.getByRole('heading', { name: 'Sign in to Film wiki' })).toBeVisible()
  await expect(page.getByText(ana.name)).toBeVisible()
  await expect(page.getByText('It keeps this access for 30 days.')).toBeVisible()
  await expectAccessible(page, 'sign in to another tool')
  await page.getByRole('button', { name: 'Continue to Film wiki' }).click()
  await expect(page.getByText(`Hello ${ana.name}, ${ana.email}`)).toBeVisible()

  await test.step('signing out of the tool asks whether to sign out of Marquee', async () => {
    await page.goto(tool.signOutAt(server.url))
    await expectAccessible(page, 'sign out, coming from another tool')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByText('Good bye')).toBeVisible()
    await page.goto(`${server.url}/watchlists`)
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  })
})

// Evidence: asvs-10.7.1
test('a signed-in user can allow or refuse a tool, or use another account', async ({
  page,
  aPerson,
  startWith,
  tool,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const server = await startWith({ OAUTH_CLIENTS: tool.registration })
  await register(server, ana)
  await register(server, ben)
  await page.goto(tool.signInAt(server.url))
  await sendPassword(page, ana)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Not signed in: access_denied')).toBeVisible()

  await test.step('an answered request shows an error and a link home', async () => {
    await page.goto(`${server.url}/auth/authorize?request=over`)
    await expect(page.getByRole('alert')).toContainText('was already answered, or is too old')
    await page.getByRole('link', { name: 'Go to the home page' }).click()
    await expect(page).toHaveURL(/\/watchlists$/u)
  })

  await page.goto(tool.signInAt(server.url))
  await page.getByRole('button', { name: 'Use another account' }).click()
  await sendPassword(page, ben)
  await page.getByRole('button', { name: 'Continue to Film wiki' }).click()
  await expect(page.getByText(`Hello ${ben.name}`)).toBeVisible()

  await test.step('a tool that needs a recent sign-in makes the user enter the password', async () => {
    // Sign-in times have a resolution of one second, so an older sign-in needs a later second.
    await expect(async () => {
      await page.goto(`${tool.signInAt(server.url)}&prompt=login`)
      await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible({ timeout: 5000 })
    }).toPass()
    await sendPassword(page, ben)
    await page.getByRole('button', { name: 'Continue to Film wiki' }).click()
    await expect(page.getByText(`Hello ${ben.name}`)).toBeVisible()
  })
})
