import { ENDPOINTS } from '@marquee/contract/endpoints'

import { expectAccessible } from '../support/accessibility.ts'
import { answerTo } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { openScreen } from '../support/screens.ts'
import { cardOf, openLiveWatchlist, shareWatchlist, showRevealed } from '../support/watchlist.ts'

test('the bell counts a friend’s actions, and a notification leads to the card', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner } = await shareWatchlist(server, [ana, ben])
  const page = await openAs(ben)
  await openLiveWatchlist(page, id, 0)

  await test.step('a reveal that Ben sees on the open page causes no notification', async () => {
    const dropped = answerTo(page, ENDPOINTS.seeNotifications)
    await asOwner.card(id, { title: 'Seen live', status: 'REVEALED' })
    await showRevealed(page)
    await expect(page.getByRole('article', { name: 'Seen live' })).toBeVisible()
    await dropped
    await openScreen(page, '/watchlists')
  })
  await expect(page.getByRole('link', { name: 'Notifications', exact: true })).toBeVisible()

  await test.step('a reveal appears in the bell without a reload', async () => {
    await asOwner.card(id, { title: 'Night Tram', status: 'REVEALED' })
    await expect(page.getByRole('link', { name: 'Notifications, 1 unread' })).toBeVisible()
  })

  await test.step('the page lists the reveal, even on a narrow phone', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.getByRole('link', { name: 'Notifications, 1 unread' }).press('Enter')
    await expect(page.getByRole('link', { name: `${ana.name} revealed Night Tram` })).toBeVisible()
    await expectAccessible(page, 'notifications')
  })

  await test.step('a setting is saved by keyboard and survives a reload', async () => {
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

  await test.step('a mention is completed by keyboard', async () => {
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

test('a notification leads to a card that is far down, was decided, or has left the feed', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner, asMembers } = await shareWatchlist(server, [ana, ben])
  const [asBen] = asMembers
  const decided = await asOwner.card(id, { title: 'Long ago', status: 'WATCHED' })
  const open = await asOwner.card(id, { title: 'Not decided yet', status: 'REVEALED' })
  for (let n = 1; n <= 12; n += 1) await asOwner.card(id, { title: `Reel ${n}`, status: 'WATCHED' })
  for (const { id: cardId } of [decided, open]) await asBen?.comment(id, cardId, 'What about this one?')
  const putBack = (await asBen?.card(id, { title: 'Gone again', status: 'REVEALED' }))?.id ?? ''
  const page = await openAs(ana)
  await page.setViewportSize({ width: 390, height: 844 })

  for (const title of ['Long ago', 'Not decided yet']) {
    await test.step(title, async () => {
      await openScreen(page, '/notifications')
      await page.getByRole('link', { name: `${ben.name} commented on ${title}` }).click()
      const card = cardOf(page, title)
      await expect(card).toBeFocused()
      await expect(card.getByRole('heading', { name: title })).toBeInViewport()
      await expect(card.getByText('What about this one?')).toBeVisible()
      await expectAccessible(page, `a card that a notification leads to: ${title}`, { weekly: title !== 'Long ago' })
    })
  }

  await test.step('the card appears only once when the feed has loaded it', async () => {
    await page.keyboard.press('End')
    await expect(cardOf(page, 'Reel 2')).toBeVisible()
    await expect(cardOf(page, 'Long ago')).toHaveCount(1)
    await expect(cardOf(page, 'Not decided yet')).toHaveCount(1)
  })

  await test.step('the card can be decided there', async () => {
    await page.evaluate(() => globalThis.scrollTo(0, 0))
    await cardOf(page, 'Not decided yet').getByRole('button', { name: 'Decline' }).click()
    await expect(cardOf(page, 'Not decided yet')).toHaveCount(1)
    await expect(cardOf(page, 'Not decided yet').getByText('Rejected')).toBeVisible()
  })

  await test.step('a link from a mail also leads to the card', async () => {
    const mail = await page.context().newPage()
    await mail.goto(`/watchlists/${id}#card-${decided.id}`)
    await expect(cardOf(mail, 'Long ago')).toBeFocused()
    await mail.close()
  })

  await test.step('the notification of a card that was put back disappears, and its mail leads to an explanation', async () => {
    const news = page.getByRole('link', { name: `${ben.name} revealed Gone again` })
    await openScreen(page, '/notifications')
    await expect(news).toBeVisible()
    await asBen?.putBack(id, putBack)
    await page.reload()
    await expect(page.getByRole('link', { name: `${ben.name} commented on Long ago` })).toBeVisible()
    await expect(news).toBeHidden()
    await page.goto(`/watchlists/${id}#card-${putBack}`)
    const gone = page.getByText('This movie is not in the feed any more. It was put back in the box or deleted.')
    await expect(gone).toBeFocused()
    await expectAccessible(page, 'a link to a card that was put back')
  })
})
