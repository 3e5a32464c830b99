import { expectAccessible } from '../support/accessibility.ts'
import { expect, test } from '../support/journey.ts'
import { openWatchlist, shareWatchlist, showRevealed } from '../support/watchlist.ts'

test('the bell counts what a friend does, and a notification leads to the card', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner } = await shareWatchlist(server, [ana, ben])
  const page = await openAs(ben)
  await openWatchlist(page, id, 0)

  await test.step('what Ben sees on the open page is no news', async () => {
    const dropped = page.waitForResponse((response) => response.url().endsWith('/api/notifications/seen'))
    await asOwner.card(id, { title: 'Seen live', status: 'REVEALED' })
    await showRevealed(page)
    await expect(page.getByRole('article', { name: 'Seen live' })).toBeVisible()
    await dropped
    await page.goto('/watchlists')
  })
  await expect(page.getByRole('link', { name: 'Notifications', exact: true })).toBeVisible()

  await test.step('a reveal shows in the bell without a reload', async () => {
    await asOwner.card(id, { title: 'Night Tram', status: 'REVEALED' })
    await expect(page.getByRole('link', { name: 'Notifications, 1 unread' })).toBeVisible()
  })

  await test.step('the page lists it, also on a narrow phone', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.getByRole('link', { name: 'Notifications, 1 unread' }).press('Enter')
    await expect(page.getByRole('link', { name: `${ana.name} revealed Night Tram` })).toBeVisible()
    await expectAccessible(page, 'notifications')
  })

  await test.step('a choice of the settings is saved with the keyboard and stays after a reload', async () => {
    await page.getByRole('link', { name: 'Settings' }).press('Enter')
    const comments = page.getByRole('checkbox', { name: 'Comments on your movies: In the app' })
    await comments.press('Space')
    await expect(page.getByText('Saved.')).toBeVisible()
    await expectAccessible(page, 'notification settings')
    await page.reload()
    await expect(comments).not.toBeChecked()
    await page.goBack()
  })

  await page.getByRole('link', { name: `${ana.name} revealed Night Tram` }).press('Enter')
  await expect(page.getByRole('article', { name: 'Night Tram' })).toBeFocused()
  await expect(page.getByRole('link', { name: 'Notifications', exact: true })).toBeVisible()

  await test.step('a mention is completed with the keyboard', async () => {
    await page
      .getByRole('article', { name: 'Night Tram' })
      .getByRole('button', { name: 'Comment', exact: true })
      .press('Enter')
    const field = page.getByRole('textbox', { name: 'Your comment' })
    await field.pressSequentially('Tonight, @a')
    await expect(page.getByRole('listbox', { name: 'Members to mention' }).getByRole('option')).toHaveText([
      new RegExp(`${ana.name}$`, 'u'),
    ])
    await expectAccessible(page, 'a comment with a list of members')
    await field.press('Enter')
    await expect(field).toHaveValue(`Tonight, @${ana.name} `)
    await field.press('Control+Enter')
    await expect(page.getByRole('strong').filter({ hasText: `@${ana.name}` })).toBeVisible()
  })
})
