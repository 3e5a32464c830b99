import { expectAccessible } from '../support/accessibility.ts'
import { expect, test } from '../support/journey.ts'
import { registerAndSignIn } from '../support/register.ts'

test.use({ needsWindows: true })

test('a push message is shown, and closed when the user signs out', async ({ browser, server, aPerson }) => {
  const context = await browser.newContext({
    baseURL: server.url,
    serviceWorkers: 'allow',
    permissions: ['notifications'],
  })
  const page = await context.newPage()
  const chromium = await context.newCDPSession(page)
  const registrations = new Map<string, string>()
  chromium.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: all }) => {
    for (const { scopeURL, registrationId, isDeleted } of all) {
      if (!isDeleted) registrations.set(scopeURL, registrationId)
    }
  })
  await chromium.send('ServiceWorker.enable')
  await registerAndSignIn(page, server, aPerson('Ana'))
  await page.goto('/notifications')
  await page.evaluate(async () => await navigator.serviceWorker.ready)
  await expect(page.getByRole('switch', { name: 'Notify me on this device' })).not.toBeChecked()
  await expectAccessible(page, 'notifications with the switch for push messages')

  const message = { title: 'Ben mentioned you', body: 'Alien', url: '/watchlists', tag: 'n1', lang: 'en', dir: 'ltr' }
  await expect.poll(() => registrations.get(`${server.url}/`)).toBeDefined()
  const deliver = async () => {
    const registrationId = registrations.get(`${server.url}/`) ?? ''
    const data = JSON.stringify(message)
    await chromium.send('ServiceWorker.deliverPushMessage', { origin: server.url, registrationId, data })
  }
  const titles = async () =>
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      return (await registration.getNotifications()).map(({ title }) => title)
    })
  // Chromium may lose a message that its tools deliver, and does not say so. A message with the same tag shows once.
  const shown = async () => {
    if ((await titles()).length === 0) await deliver()
    return await titles()
  }
  await expect.poll(shown, { intervals: [1_000, 4_000] }).toEqual(['Ben mentioned you'])

  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/auth/login')
  expect(await titles()).toEqual([])
})
