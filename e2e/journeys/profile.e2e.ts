import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Locator, Page } from '@playwright/test'

import { addressOf, failRequests, holdRequests, isCallOf } from '../support/api.ts'
import { A_FORGERY, A_HUGE_PICTURE, A_PICTURE, A_SCAN, A_TEXT, dropFile, pasteFile } from '../support/files.ts'
import { expectError } from '../support/forms.ts'
import { expect, type Person, test } from '../support/journey.ts'
import { register, registerAndSignIn } from '../support/register.ts'

function profileEdit(page: Page) {
  const section = page.getByRole('region', { name: 'Profile picture' })
  return {
    section,
    picker: section.getByLabel('Choose a picture'),
    preview: section.getByRole('img', { name: 'Preview of your new picture' }),
    upload: section.getByRole('button', { name: 'Upload' }),
    cancel: section.getByRole('button', { name: 'Cancel' }),
    remove: section.getByRole('button', { name: 'Remove picture' }),
  }
}

function faceInTopBar(page: Page): Locator {
  return page.getByRole('button', { name: 'Account' })
}

async function openProfile(page: Page, person: Person): Promise<void> {
  await page.goto('/profile/edit')
  await expect(page.getByRole('heading', { name: 'Edit profile' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Profile picture' })).toContainText(person.name)
}

async function isLoaded(image: Locator): Promise<boolean> {
  return await image.evaluate((element: HTMLImageElement) => element.complete && element.naturalWidth > 0)
}

// Evidence: wcag-2.5.7
test('a picture is chosen, previewed, uploaded, shown everywhere, and removed', async ({ server, openAs, aPerson }) => {
  const ana = aPerson('Ana')
  const asAna = await register(server, ana)
  const { id } = await asAna.watchlist('Friday film club')
  await asAna.card(id, { title: 'Night Tram', status: 'REVEALED' })
  const page = await openAs(ana)
  await openProfile(page, ana)
  const { section, picker, preview, upload, cancel, remove } = profileEdit(page)
  await expect(section.getByText('We recommend 200x200 pixels.', { exact: false })).toBeVisible()
  await expect(section.getByText('A', { exact: true })).toBeVisible()
  await expect(faceInTopBar(page)).toHaveText('A')
  await expect(remove).toHaveCount(0)

  await test.step('cancelling the preview uploads nothing', async () => {
    let uploads = 0
    page.on('request', (request) => {
      if (isCallOf(request, ENDPOINTS.uploadAvatar)) uploads += 1
    })
    await picker.setInputFiles(A_PICTURE)
    await expect(preview).toBeVisible()
    await expect(upload).toBeFocused()
    await cancel.click()
    await expect(preview).toHaveCount(0)
    await expect(picker).toBeFocused()
    expect(uploads).toBe(0)
  })

  await test.step('a running upload shows its progress and can be cancelled', async () => {
    const held = await holdRequests(page, addressOf(ENDPOINTS.uploadAvatar))
    await picker.setInputFiles(A_PICTURE)
    await upload.click()
    await expect(section.getByRole('progressbar')).toBeVisible()
    await cancel.click()
    await expect(upload).toBeVisible()
    await expect(section.getByRole('alert')).toHaveCount(0)
    held.release()
  })

  await test.step('the uploaded picture replaces Ana’s letter', async () => {
    await upload.click()
    await expect(section.getByText('Your profile picture was updated.')).toBeVisible()
    await expect(preview).toHaveCount(0)
    await expect.poll(async () => await isLoaded(section.locator('img'))).toBe(true)
    await expect.poll(async () => await isLoaded(faceInTopBar(page).locator('img'))).toBe(true)
    await page.getByRole('link', { name: 'Done' }).click()
    await expect(page).toHaveURL(`/watchlists/${id}`)
    const row = page.getByRole('region', { name: 'Members' }).getByRole('listitem').filter({ hasText: ana.name })
    await expect.poll(async () => await isLoaded(row.locator('img'))).toBe(true)
    const card = page.getByRole('article', { name: 'Night Tram' })
    await expect.poll(async () => await isLoaded(card.locator('img[alt=""]').first())).toBe(true)
  })

  await test.step('removing the picture asks first, can be cancelled, and shows a failure', async () => {
    await faceInTopBar(page).click()
    await page.getByRole('menuitem', { name: 'Edit profile' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove your picture?' })
    await remove.click()
    await expect(dialog).toContainText('your friends see the first letter of your name instead')
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(remove).toBeFocused()
    await failRequests(page, addressOf(ENDPOINTS.deleteAvatar))
    await remove.click()
    await dialog.getByRole('button', { name: 'Remove picture' }).click()
    await expect(dialog.getByRole('alert')).toContainText('Failed to remove avatar. Please try again.')
    await page.unroute(addressOf(ENDPOINTS.deleteAvatar))
    await dialog.getByRole('button', { name: 'Remove picture' }).click()
    await expect(section.getByText('Your profile picture was removed.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Profile picture' })).toBeFocused()
    await expect(faceInTopBar(page)).toHaveText('A')
    await expect(faceInTopBar(page).locator('img')).toHaveCount(0)
  })

  await page.getByRole('link', { name: 'Close' }).click()
  await expect(page).toHaveURL(`/watchlists/${id}`)
})

test('a file that is too large or not a picture is rejected before the upload, and a failed upload shows an error', async ({
  server,
  openAs,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  await register(server, ana)
  const page = await openAs(ana)
  await openProfile(page, ana)
  const { section, picker, preview, upload } = profileEdit(page)
  let uploads = 0
  page.on('request', (request) => {
    if (isCallOf(request, ENDPOINTS.uploadAvatar)) uploads += 1
  })

  await picker.setInputFiles(A_TEXT)
  await expectError(picker, 'Please select a valid image file.')
  await picker.setInputFiles(A_SCAN)
  await expectError(picker, 'This browser cannot read the picture. Choose a JPG, PNG, GIF or WebP file.')
  await picker.setInputFiles(A_HUGE_PICTURE)
  await expectError(picker, 'File size must be less than 5MB.')
  await dropFile(page.getByRole('main'), A_TEXT)
  await expectError(picker, 'Please select a valid image file.')
  expect(uploads).toBe(0)

  await test.step('the server rejects a forged picture', async () => {
    await picker.setInputFiles(A_FORGERY)
    await upload.click()
    await expect(section.getByRole('alert')).toContainText('Failed to upload avatar. Please try again.')
    expect(uploads).toBe(1)
  })

  await test.step('the picture can be sent again after a failure of the server', async () => {
    await failRequests(page, addressOf(ENDPOINTS.uploadAvatar))
    await pasteFile(page, A_PICTURE)
    await expect(section.getByRole('alert')).toHaveCount(0)
    await upload.click()
    await expect(section.getByRole('alert')).toContainText('Failed to upload avatar. Please try again.')
    await expect(preview).toBeVisible()
    await page.unroute(addressOf(ENDPOINTS.uploadAvatar))
    await upload.click()
    await expect(section.getByText('Your profile picture was updated.')).toBeVisible()
  })
})

test('a picture can be dropped or pasted, and one that cannot be loaded is replaced by a letter', async ({
  server,
  openAs,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  const asAna = await register(server, ana)
  const page = await openAs(ana)
  await openProfile(page, ana)
  const { section, preview, upload, cancel } = profileEdit(page)

  await dropFile(section.getByText('Choose a picture'), A_PICTURE)
  await expect(preview).toBeVisible()
  await cancel.click()
  await expect(preview).toHaveCount(0)
  await pasteFile(page, A_PICTURE)
  await expect(preview).toBeVisible()
  await upload.click()
  await expect(section.getByText('Your profile picture was updated.')).toBeVisible()

  await asAna.avatar()
  await page.route('**/images/**', async (route) => await route.abort())
  await page.reload()
  await expect(faceInTopBar(page)).toHaveText('A')
  await expect(section.getByText('A', { exact: true })).toBeVisible()
})

test('the account page has tabs, and no tab is taller than two screens', async ({ page, server, aPerson }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await registerAndSignIn(page, server, aPerson('Ana'))
  await page.goto('/notifications/settings')
  await expect(page).toHaveURL('/account/notifications')
  const tabs = page.getByRole('navigation', { name: 'Parts of your account' }).getByRole('link')
  for (const [tab, heading, content] of [
    ['Profile', 'Edit profile', 'Choose a picture'],
    ['Sign-in', 'Sign-in', 'Add a passkey'],
    ['Devices', 'Devices', 'Account created'],
    ['Notifications', 'Notification settings', 'Use quiet hours'],
    ['Tokens', 'Tokens', 'You have no token yet.'],
    ['Your data', 'Your data', 'Download my data'],
  ] as const) {
    await tabs.filter({ hasText: tab }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page.locator('[aria-current=page]')).toHaveText(tab)
    await expect(page.getByText(content)).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(1600)
  }
})
