import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Locator, Page } from '@playwright/test'

import { addressOf, failRequests } from '../support/api.ts'
import { A_HUGE_PICTURE, A_PICTURE, A_SCAN, A_TEXT, aPhoto, dropFile, pasteFile } from '../support/files.ts'
import { expectError } from '../support/forms.ts'
import { expect, test } from '../support/journey.ts'
import { aPng } from '../support/png.ts'
import { register } from '../support/register.ts'
import { WEEKLY } from '../support/variations.ts'

function imageEdit(page: Page) {
  const section = page.getByRole('region', { name: 'Watchlist image' })
  return {
    section,
    add: page.getByRole('button', { name: 'Add an image' }),
    change: page.getByRole('button', { name: 'Change the image' }),
    picker: section.getByLabel('Choose an image'),
    preview: section.getByRole('img', { name: 'Preview of the new image' }),
    upload: section.getByRole('button', { name: 'Upload' }),
    cancel: section.getByRole('button', { name: 'Cancel' }),
  }
}

function coverOf(page: Page): Locator {
  return page.getByRole('region', { name: 'About this watchlist' }).locator('img[src*="/images/"]')
}

/** The message is shown, and disappears by itself. */
async function expectToCloseBy(page: Page, message: string): Promise<void> {
  await expect(page.getByText(message)).toBeVisible()
  await expect(page.getByText(message)).toHaveCount(0)
}

test('a picture dropped by a member becomes the image of the watchlist', async ({ server, openAs, aPerson }) => {
  const ana = aPerson('Ana')
  const asAna = await register(server, ana)
  const { id } = await asAna.watchlist('Friday film club')
  const page = await openAs(ana)
  await page.goto(`/watchlists/${id}`)
  const { section, add, change, picker, preview, upload } = imageEdit(page)

  await add.click()
  await expect(picker).toBeFocused()
  await dropFile(section.getByText('Choose an image'), A_PICTURE)
  await expect(preview).toBeVisible()
  await upload.click()
  await expectToCloseBy(page, 'Watchlist image updated successfully!')
  await expect(change).toBeFocused()
  await expect(coverOf(page)).toBeVisible()
  await page.reload()
  await expect(coverOf(page)).toBeVisible()
})

test('a member changes and removes the image of a watchlist', WEEKLY, async ({ server, openAs, aPerson }) => {
  const ana = aPerson('Ana')
  const asAna = await register(server, ana)
  const { id } = await asAna.watchlist('Friday film club')
  const page = await openAs(ana)
  await page.goto(`/watchlists/${id}`)
  const { section, add, change, picker, preview, upload, cancel } = imageEdit(page)
  const cover = coverOf(page)

  await test.step('the panel opens and closes', async () => {
    await add.click()
    await expect(picker).toBeFocused()
    await section.getByRole('button', { name: 'Close' }).click()
    await expect(section).toHaveCount(0)
    await expect(add).toBeFocused()
  })

  await test.step('a file that is too large or not a picture is rejected', async () => {
    await add.click()
    await picker.setInputFiles(A_TEXT)
    await expectError(picker, 'Please select a valid image file (JPG, PNG, GIF).')
    await picker.setInputFiles(A_SCAN)
    await expectError(picker, 'This browser cannot read the picture. Choose a JPG, PNG, GIF or WebP file.')
    await picker.setInputFiles(A_HUGE_PICTURE)
    await expectError(picker, 'File size must be less than 5MB.')
  })

  await test.step('a picture is previewed, cancelled, chosen again and uploaded after a failure', async () => {
    await picker.setInputFiles(A_PICTURE)
    await expect(preview).toBeVisible()
    await cancel.click()
    await expect(preview).toHaveCount(0)
    await picker.setInputFiles(aPhoto())
    await expect(preview).toBeVisible()
    await failRequests(page, addressOf(ENDPOINTS.uploadWatchlistImage))
    await upload.click()
    await expect(section.getByRole('alert')).toContainText('Failed to upload image. Please try again.')
    await page.unroute(addressOf(ENDPOINTS.uploadWatchlistImage))
    await upload.click()
    await expectToCloseBy(page, 'Watchlist image updated successfully!')
    await expect(cover).toBeVisible()
  })

  await test.step('pasting a picture changes the image', async () => {
    const before = await cover.getAttribute('src')
    await change.click()
    await expect(picker).toBeFocused()
    await pasteFile(page, { ...A_PICTURE, buffer: aPng({ colour: [0x14, 0x30, 0x4d] }) })
    await upload.click()
    await expectToCloseBy(page, 'Watchlist image updated successfully!')
    await expect(cover).not.toHaveAttribute('src', before ?? '')
  })

  await test.step('removing the image asks first, shows a failure, and closes the panel after a moment', async () => {
    const dialog = page.getByRole('dialog', { name: 'Remove the image?' })
    const remove = section.getByRole('button', { name: 'Remove the image' })
    await change.click()
    await remove.click()
    await expect(dialog).toContainText('The image is deleted for everyone who shares this watchlist.')
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(remove).toBeFocused()
    await failRequests(page, addressOf(ENDPOINTS.deleteWatchlistImage))
    await remove.click()
    await dialog.getByRole('button', { name: 'Remove image' }).click()
    await expect(dialog.getByRole('alert')).toContainText('Failed to remove image. Please try again.')
    await page.unroute(addressOf(ENDPOINTS.deleteWatchlistImage))
    await dialog.getByRole('button', { name: 'Remove image' }).click()
    await expectToCloseBy(page, 'Watchlist image removed successfully!')
    await expect(cover).toHaveCount(0)
    await expect(add).toBeFocused()
  })
})

test('a non-member sees the image but cannot change it', WEEKLY, async ({ server, openAs, aPerson }) => {
  const [ana, eve] = [aPerson('Ana'), aPerson('Eve')]
  const [asAna] = await Promise.all([register(server, ana), register(server, eve)])
  const { id } = await asAna.watchlist('Friday film club')
  await asAna.image(id)
  const page = await openAs(eve)
  await page.goto(`/watchlists/${id}`)

  const info = page.getByRole('region', { name: 'About this watchlist' })
  await expect(info.locator('img[src*="/images/"]').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change the image' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add an image' })).toHaveCount(0)
})

test('the image leaves room for the name on a phone in landscape', async ({ server, openAs, aPerson }) => {
  const ana = aPerson('Ana')
  const asAna = await register(server, ana)
  const { id } = await asAna.watchlist('Friday film club')
  await asAna.image(id)
  const page = await openAs(ana)
  await page.setViewportSize({ width: 667, height: 375 })
  await page.goto(`/watchlists/${id}`)
  await page.getByRole('button', { name: 'Details' }).click()

  await expect(page.locator('img[src*="/images/"]')).toBeInViewport()
  await expect(page.getByRole('heading', { name: 'Friday film club' })).toBeInViewport({ ratio: 1 })
})
