import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Page } from '@playwright/test'

import { expectAccessible } from '../support/accessibility.ts'
import { addressOf, failRequests, holdRequests } from '../support/api.ts'
import { A_PICTURE, A_TEXT } from '../support/files.ts'
import { expect, test } from '../support/journey.ts'
import { register } from '../support/register.ts'
import { openScreen } from '../support/screens.ts'
import { WEEKLY } from '../support/variations.ts'
import { openWatchlist, shareWatchlist } from '../support/watchlist.ts'

test.describe.configure({ timeout: 180_000 })

/** Opens the details panel. Only narrow pages have its button, but it then stays open at every width. */
async function unfoldPanel(page: Page): Promise<void> {
  const wide = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 640 })
  await page.getByRole('button', { name: 'Details' }).click()
  if (wide) await page.setViewportSize(wide)
}

// Evidence: wcag-1.1.1, wcag-1.3.1, wcag-1.4.3, wcag-1.4.10, wcag-4.1.2
test('members, invitations and the deletion dialog are accessible', async ({ server, openAs, aPerson }) => {
  const [ana, ben, cyd] = [aPerson('Ana'), aPerson('Ben'), aPerson('Cyd')]
  const [{ id, asOwner }] = await Promise.all([shareWatchlist(server, [ana, ben]), register(server, cyd)])
  await asOwner.avatar()
  await asOwner.image(id)
  await asOwner.invite(id, cyd.name)
  const page = await openAs(ana)
  await openWatchlist(page, id, 0)
  await unfoldPanel(page)
  await expect(page.getByRole('button', { name: '1 invitation is waiting' })).toBeVisible()
  await expectAccessible(page, 'a shared watchlist with its panel open')

  const invite = page.getByRole('region', { name: 'Invite someone' })
  await invite.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(invite.getByRole('alert')).toBeVisible()
  await expectAccessible(page, 'an invitation without a username', { weekly: true })
  await invite.getByLabel('Username or e-mail').fill(cyd.name)
  await invite.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(page.getByText('Invitation sent successfully!')).toBeVisible()
  await expectAccessible(page, 'a sent invitation')

  await openScreen(page, `/watchlists/${id}/settings`)
  await page.getByRole('button', { name: 'Delete watchlist' }).click()
  await expect(page.getByRole('dialog').getByRole('heading')).toBeVisible()
  await expectAccessible(page, 'dialog: Delete watchlist')

  await openWatchlist(page, id, 0)
  await unfoldPanel(page)
  await page.getByRole('button', { name: 'Change the image' }).click()
  await page.getByLabel('Choose an image').setInputFiles(A_TEXT)
  await expect(page.getByText('Please select a valid image file (JPG, PNG, GIF).')).toBeVisible()
  await expectAccessible(page, 'a rejected image', { weekly: true })
  await page.getByLabel('Choose an image').setInputFiles(A_PICTURE)
  await expect(page.getByRole('img', { name: 'Preview of the new image' })).toBeVisible()
  await expectAccessible(page, 'the preview of an image', { weekly: true })
})

test('the other dialogs of a watchlist are accessible', WEEKLY, async ({ server, openAs, aPerson }) => {
  const [ana, ben, cyd] = [aPerson('Ana'), aPerson('Ben'), aPerson('Cyd')]
  const [{ id, asOwner }] = await Promise.all([shareWatchlist(server, [ana, ben]), register(server, cyd)])
  await asOwner.invite(id, cyd.name)
  const [anas, bens] = [await openAs(ana), await openAs(ben)]
  const actions = `Actions for ${ben.name}`

  for (const [page, place, ...buttons] of [
    [anas, '', '1 invitation is waiting', `Withdraw ${cyd.name}’s invitation`],
    [anas, 'club', actions, `Make ${ben.name} the owner`],
    [anas, 'club', actions, `Remove ${ben.name}`],
    [bens, 'settings', 'Leave watchlist'],
  ] as const) {
    await page.goto(`/watchlists/${id}/${place}`)
    for (const name of buttons) {
      await page.getByRole('button', { name }).or(page.getByRole('menuitem', { name })).click()
    }
    await expect(page.getByRole('dialog').last().getByRole('heading')).toBeVisible()
    await expectAccessible(page, `dialog: ${buttons.at(-1)}`)
  }
})

// Evidence: wcag-1.3.1, wcag-1.4.3, wcag-1.4.10, wcag-4.1.2
test('comments are accessible, and so are editing and deleting a card', async ({ server, openAs, aPerson }) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner, asMembers } = await shareWatchlist(server, [ana, ben])
  const { id: cardId } = await asOwner.card(id, { title: 'Night Tram', status: 'REVEALED' })
  for (const content of ['W'.repeat(300), 'Why? '.repeat(80), 'See you on Friday'])
    await asOwner.comment(id, cardId, content)
  await asMembers[0]?.comment(id, cardId, 'Count me in')
  const page = await openAs(ana)
  await openWatchlist(page, id, 1)
  const comments = page.getByRole('region', { name: 'Comments on Night Tram' })
  await comments.getByRole('button', { name: 'Load previous comments' }).click()
  await expect(comments.getByRole('listitem')).toHaveCount(4)
  await comments.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(comments.getByLabel('Your comment')).toBeVisible()
  await comments.getByRole('button', { name: 'Delete' }).last().click()
  await expectAccessible(page, 'comments, with the form and a question open')
  await comments.getByRole('button', { name: 'No', exact: true }).click()
  await comments.getByRole('button', { name: 'Edit' }).last().click()
  await comments.getByLabel('Edit your comment').fill('See you on Saturday')
  await comments.getByRole('button', { name: 'Save' }).click()
  await expect(comments.getByText(/^Edited /u)).toBeVisible()
  await failRequests(page, addressOf(ENDPOINTS.addComment))
  await comments.getByLabel('Your comment').fill('Not today')
  await comments.getByRole('button', { name: 'Add comment' }).click()
  await expect(comments.getByRole('alert')).toBeVisible()
  await expectAccessible(page, 'an edited comment, and a failed one')

  const options = page.getByRole('button', { name: 'Options for Night Tram' })
  await options.click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
  await expectAccessible(page, 'the options of a card', { weekly: true })
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog').getByRole('heading')).toBeVisible()
  await expectAccessible(page, 'dialog: Delete the card', { weekly: true })
  await page.keyboard.press('Escape')
  await options.click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(page.getByRole('form', { name: 'Edit movie' })).toBeVisible()
  await expectAccessible(page, 'editing a card', { weekly: true })
})

// Evidence: wcag-1.1.1, wcag-1.3.1, wcag-1.4.3, wcag-1.4.10, wcag-4.1.2
test('invitations, the profile with a picture and the offline banner are accessible', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const [asAna, asBen] = await Promise.all([register(server, ana), register(server, ben)])
  const [friday, sunday] = [await asAna.watchlist('Friday film club'), await asAna.watchlist('B'.repeat(120))]
  await asAna.invite(friday.id, ben.name)
  await asAna.invite(sunday.id, ben.name)
  await asBen.avatar()
  const page = await openAs(ben)
  await page.goto('/')
  await expect(page.getByRole('main').getByRole('region', { name: 'Invitations' })).toBeVisible()
  await expectAccessible(page, 'no watchlists, and two pending invitations', { weekly: true })
  await page.getByRole('link', { name: 'Notifications, 2 unread' }).click()
  await page.getByRole('button', { name: 'Decline the invitation to Friday film club' }).click()
  await expectAccessible(page, 'the invitations above the notifications, one with the question whether to decline')

  await openScreen(page, '/profile/edit')
  await expect(page.getByRole('button', { name: 'Remove picture' })).toBeVisible()
  await expectAccessible(page, 'a profile with a picture')
  await page.getByRole('button', { name: 'Remove picture' }).click()
  await expect(page.getByRole('dialog').getByRole('heading')).toBeVisible()
  await expectAccessible(page, 'dialog: Remove picture', { weekly: true })
  await page.keyboard.press('Escape')
  await page.getByLabel('Choose a picture').setInputFiles(A_TEXT)
  await expect(page.getByText('Please select a valid image file.')).toBeVisible()
  await expectAccessible(page, 'a rejected picture')
  await page.getByLabel('Choose a picture').setInputFiles(A_PICTURE)
  await expect(page.getByRole('img', { name: 'Preview of your new picture' })).toBeVisible()
  await expectAccessible(page, 'the preview of a picture', { weekly: true })

  await page.context().setOffline(true)
  await expect(page.getByText('You are offline.')).toBeVisible()
  await expectAccessible(page, 'offline')
  await page.context().setOffline(false)

  const acceptance = await holdRequests(page, addressOf(ENDPOINTS.acceptInvitation))
  await openScreen(page, '/watchlists/invitation/accept?token=unknown')
  await expect(page.getByText('Accepting invitation...')).toBeVisible()
  await expectAccessible(page, 'an invitation that is being accepted', { weekly: true })
  acceptance.release()
  await expect(page.getByRole('alert')).toHaveText('Invalid or expired invitation link')
  await expectAccessible(page, 'an invalid invitation')
})
