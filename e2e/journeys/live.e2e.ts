import type { Locator, Page } from '@playwright/test'

import { expect, IN_MOTION, test } from '../support/journey.ts'
import { watchShifts } from '../support/layout.ts'
import { register } from '../support/register.ts'
import { join } from '../support/seed.ts'
import { WEEKLY } from '../support/variations.ts'
import { cardOf, openLiveWatchlist, openRow, shareWatchlist, showRevealed } from '../support/watchlist.ts'

test.use(IN_MOTION)

/** The live region of the page. */
function announcementOf(page: Page): Locator {
  return page.getByRole('main').getByRole('status')
}

type Movement = { name: string; seconds: number }

/** Makes the page record the animations that it shows. A reload clears the record. */
async function watchMovements(page: Page): Promise<{ shown: () => Promise<Movement[]> }> {
  await page.evaluate(() => {
    const shown: Movement[] = []
    document.addEventListener('animationstart', ({ animationName: name, target }) => {
      const { animationDuration } = getComputedStyle(target as Element)
      shown.push({ name, seconds: Number.parseFloat(animationDuration) })
    })
    Object.assign(globalThis, { shown })
  })
  return { shown: async () => await page.evaluate(() => (globalThis as unknown as { shown: Movement[] }).shown) }
}

// Evidence: wcag-4.1.3
test('a card revealed by one member is announced to the other, who can accept it', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner } = await shareWatchlist(server, [ana, ben])
  await asOwner.card(id, { title: 'Night Tram' })
  await asOwner.card(id, { title: 'Old news', status: 'WATCHED' })
  const [anas, bens] = [await openAs(ana), await openAs(ben)]
  await openLiveWatchlist(anas, id, 1)
  await openLiveWatchlist(bens, id, 1)
  const movements = await watchMovements(bens)

  await test.step('the other member sees the reveal and turns the card over', async () => {
    await anas.getByRole('button', { name: 'Reveal random card' }).click()
    await expect(announcementOf(bens).filter({ hasText: `${ana.name} revealed Night Tram` })).toBeAttached()
    await expect(bens.getByText('The box is empty')).toBeVisible()
    await expect(cardOf(bens, 'Night Tram')).toHaveCount(0)
    await showRevealed(bens)
    await expect(cardOf(bens, 'Night Tram')).toBeVisible()
    await expect(bens.getByRole('article').first()).toContainText('Night Tram')
    await expect.poll(movements.shown).toContainEqual({ name: 'reveal', seconds: 0.6 })
  })

  await test.step('the other member accepts the card, and the first one sees that', async () => {
    await cardOf(bens, 'Night Tram').getByRole('button', { name: 'Accept' }).click()
    await expect(cardOf(anas, 'Night Tram').getByText('Watched', { exact: true })).toBeVisible()
    await expect(cardOf(anas, 'Night Tram')).toContainText(`${ben.name} accepted Night Tram`)
    await expect(cardOf(anas, 'Night Tram').getByRole('button', { name: 'Accept' })).toHaveCount(0)
    await expect(announcementOf(anas).filter({ hasText: `${ben.name} accepted Night Tram` })).toBeAttached()
  })
})

test(
  'cards appear and disappear on both screens without animation when reduced motion is on',
  WEEKLY,
  async ({ server, openAs, aPerson }) => {
    const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
    const { id, asOwner } = await shareWatchlist(server, [ana, ben])
    await asOwner.card(id, { title: 'Night Tram' })
    const [anas, bens] = [await openAs(ana), await openAs(ben)]
    await bens.emulateMedia({ reducedMotion: 'reduce' })
    await openLiveWatchlist(anas, id, 0)
    await openLiveWatchlist(bens, id, 0)
    const movements = await watchMovements(bens)

    await anas.getByRole('button', { name: 'Reveal random card' }).click()
    await expect(announcementOf(bens).filter({ hasText: `${ana.name} revealed Night Tram` })).toBeAttached()
    await showRevealed(bens)
    await expect(cardOf(bens, 'Night Tram')).toBeVisible()
    for (const { name, seconds } of await movements.shown()) expect(seconds, name).toBeLessThan(0.001)

    await cardOf(bens, 'Night Tram').getByRole('button', { name: 'Put Back' }).click()
    for (const page of [anas, bens]) {
      await expect(page.getByRole('article')).toHaveCount(0)
      await expect(page.getByText('1 card', { exact: true })).toBeVisible()
    }
    await expect(announcementOf(anas).filter({ hasText: `${ben.name} put Night Tram back in the box` })).toBeAttached()
  },
)

test('a member further down the feed is notified of a reveal and can scroll to it', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner } = await shareWatchlist(server, [ana, ben])
  for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) await asOwner.card(id, { title, status: 'WATCHED' })
  const bens = await openAs(ben)
  await openLiveWatchlist(bens, id, 5)
  const notice = bens.getByRole('complementary', { name: 'Just revealed' })

  await cardOf(bens, 'One').scrollIntoViewIfNeeded()
  await asOwner.card(id, { title: 'Night Tram', status: 'REVEALED' })
  await expect(notice).toContainText(`${ana.name} revealed`)
  await expect(notice).toContainText('Night Tram')
  await expect(cardOf(bens, 'Night Tram')).toHaveCount(0)
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toHaveCount(0)
  await expect(cardOf(bens, 'Night Tram')).toHaveCount(1)

  await asOwner.card(id, { title: 'Low Tide', status: 'REVEALED' })
  await expect(notice).toContainText('Low Tide')
  await showRevealed(bens)
  await expect(cardOf(bens, 'Low Tide')).toBeInViewport()
})

test('comments appear, change and disappear on the other screen, and text typed there is kept', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner } = await shareWatchlist(server, [ana, ben])
  await asOwner.card(id, { title: 'Night Tram', status: 'REVEALED' })
  const [anas, bens] = [await openAs(ana), await openAs(ben)]
  await openLiveWatchlist(anas, id, 1)
  await openLiveWatchlist(bens, id, 1)
  const commentsOn = (page: Page) => page.getByRole('region', { name: 'Comments on Night Tram' })
  await commentsOn(bens).getByRole('button', { name: 'Comment', exact: true }).click()
  await commentsOn(bens).getByLabel('Your comment').fill('Half a thought')

  await commentsOn(anas).getByRole('button', { name: 'Comment', exact: true }).click()
  await commentsOn(anas).getByLabel('Your comment').fill('Who is in on Friday?')
  await commentsOn(anas).getByLabel('Your comment').press('Control+Enter')
  const heard = commentsOn(bens).getByRole('listitem')
  await expect(heard).toContainText(['Who is in on Friday?'])
  await expect(heard).toContainText(ana.name)
  await expect(announcementOf(bens).filter({ hasText: `${ana.name} commented on Night Tram` })).toBeAttached()

  await commentsOn(anas).getByRole('button', { name: 'Edit' }).click()
  await commentsOn(anas).getByLabel('Edit your comment').fill('Who is in on Saturday?')
  await commentsOn(anas).getByRole('button', { name: 'Save' }).click()
  await expect(heard).toContainText(['Who is in on Saturday?'])
  await expect(heard.getByText('Edited', { exact: false })).toBeVisible()

  await commentsOn(anas).getByRole('button', { name: 'Delete' }).click()
  await commentsOn(anas).getByRole('button', { name: 'Yes' }).click()
  await expect(heard).toHaveCount(0)
  await expect(commentsOn(bens).getByLabel('Your comment')).toHaveValue('Half a thought')
})

test('the count, name, members and cards update live, and a deleted watchlist shows an error', async ({
  server,
  openAs,
  aPerson,
}) => {
  const [ana, ben, cyd] = [aPerson('Ana'), aPerson('Ben'), aPerson('Cyd')]
  const [{ id, asOwner, asMembers }, asCyd] = await Promise.all([
    shareWatchlist(server, [ana, ben]),
    register(server, cyd),
  ])
  await asOwner.card(id, { title: 'Old news', status: 'WATCHED' })
  const [anas, bens] = [await openAs(ana), await openAs(ben)]
  await openLiveWatchlist(anas, id, 1)
  await openLiveWatchlist(bens, id, 1)
  await watchMovements(bens)

  await test.step('a movie is added to the box', async () => {
    await asOwner.card(id, { title: 'Secret' })
    await expect(bens.getByText('1 card', { exact: true })).toBeVisible()
  })

  await test.step('another user is invited and joins', async () => {
    const [asBen] = asMembers
    if (asBen === undefined) throw new Error('Ben is a member')
    await join(id, asBen, asCyd, cyd.name)
    for (const page of [anas, bens]) {
      const members = page.getByRole('region', { name: 'Members' }).getByRole('listitem')
      await expect(members).toHaveCount(3)
      await expect(members.filter({ hasText: cyd.name })).toBeVisible()
      await expect(page.getByRole('button', { name: '1 invitation is waiting' })).toHaveCount(0)
    }
  })

  await test.step('the watchlist is renamed', async () => {
    await anas.getByRole('button', { name: 'Edit name' }).click()
    await anas.getByLabel('Name', { exact: true }).fill('Saturday film club')
    await anas.getByRole('button', { name: 'Save' }).click()
    await expect(bens.getByRole('heading', { level: 1 })).toHaveText('Saturday film club')
    await expect(bens.getByRole('button', { name: 'Saturday film club, switch watchlist' })).toBeVisible()
  })

  await test.step('a card is changed and deleted', async () => {
    await openRow(anas, 'Old news')
    await anas.getByRole('button', { name: 'Options for Old news' }).click()
    await anas.getByRole('menuitem', { name: 'Edit' }).click()
    const form = anas.getByRole('form', { name: 'Edit movie' })
    await form.getByLabel('Title').fill('Older news')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(cardOf(bens, 'Older news')).toBeVisible()
    await anas.getByRole('button', { name: 'Options for Older news' }).click()
    await anas.getByRole('menuitem', { name: 'Delete' }).click()
    await anas.getByRole('button', { name: 'Delete the card' }).click()
    await expect(bens.getByRole('article')).toHaveCount(0)
    await expect(announcementOf(bens).filter({ hasText: `${ana.name} deleted Older news` })).toBeAttached()
  })

  await test.step('the watchlist is deleted, and no page was reloaded', async () => {
    expect(await bens.evaluate(() => 'shown' in globalThis)).toBe(true)
    await anas.getByRole('link', { name: 'Club' }).click()
    await anas.getByRole('link', { name: 'Settings' }).click()
    await anas.getByRole('button', { name: 'Delete watchlist' }).click()
    await anas.getByRole('button', { name: 'Delete for good' }).click()
    await expect(bens.getByText('Watchlist not found. Redirecting to your watchlists...')).toBeVisible()
    await expect(bens).toHaveURL('/watchlists')
    await expect(bens.getByText('No watchlists yet')).toBeVisible()
  })
})

test('a member who is removed from a private watchlist loses access at once', async ({ server, openAs, aPerson }) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id } = await shareWatchlist(server, [ana, ben])
  const [anas, bens] = [await openAs(ana), await openAs(ben)]
  await openLiveWatchlist(bens, id, 0)
  await openLiveWatchlist(anas, id, 0)

  await anas.getByRole('link', { name: 'Club' }).click()
  await anas.getByRole('link', { name: 'Settings' }).click()
  await anas.getByRole('switch', { name: 'Private' }).click()
  await expect(anas.getByText('Only members can see this watchlist.')).toBeVisible()
  await anas.getByRole('link', { name: 'Club' }).click()
  await anas.getByRole('button', { name: `Actions for ${ben.name}` }).click()
  await anas.getByRole('menuitem', { name: `Remove ${ben.name}` }).click()
  await anas.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(bens.getByText('Watchlist not found. Redirecting to your watchlists...')).toBeVisible()
  await expect(bens).toHaveURL('/watchlists')
})

test('nothing moves on a member’s screen while others reveal, accept, put back and comment on cards', async ({
  server,
  openAs,
  aPerson,
}) => {
  // The names need one line and two beside the time of a step.
  const [ana, ben] = [aPerson('Anastasia Longfellow'), aPerson('Bo')]
  const { id, asOwner: asBen, asMembers } = await shareWatchlist(server, [ben, ana])
  const [asAna] = asMembers
  for (const title of ['Old news', 'Older news']) await asBen.card(id, { title, status: 'WATCHED' })
  await asBen.card(id, { title: 'Low Tide', status: 'REVEALED' })
  const nightTram = await asBen.card(id, { title: 'Night Tram', status: 'REVEALED' })
  await asBen.card(id, { title: 'Paper Lions' })
  const [anas, bens] = [await openAs(ana), await openAs(ben)]
  await openLiveWatchlist(anas, id, 4)
  await openLiveWatchlist(bens, id, 4)
  await expect(bens.getByText('1 card', { exact: true })).toBeVisible()
  const shifts = await watchShifts(bens)

  await anas.getByRole('button', { name: 'Reveal random card' }).click()
  await expect(bens.getByRole('complementary', { name: 'Just revealed' })).toContainText('Paper Lions')
  await expect(bens.getByText('The box is empty')).toBeVisible()
  await cardOf(anas, 'Night Tram').getByRole('button', { name: 'Accept' }).click()
  await expect(cardOf(bens, 'Night Tram')).toContainText(`${ana.name} accepted Night Tram`)
  await cardOf(anas, 'Low Tide').getByRole('button', { name: 'Put Back' }).click()
  await expect(bens.getByText('1 card', { exact: true })).toBeVisible()
  await expect(cardOf(bens, 'Low Tide')).toHaveCount(0)
  const waiting = bens.getByRole('list', { name: 'Waiting for a decision' })
  await expect(waiting.getByText(`${ana.name} put Low Tide back in the box`)).toBeVisible()
  await asAna?.comment(id, nightTram.id, 'Who is in on Friday?')
  await expect(cardOf(bens, 'Night Tram').getByRole('button', { name: '1 new comment' })).toBeVisible()

  expect(await shifts()).toEqual([])
})

test('nothing moves on the page of a night while others answer and arrive', async ({ server, openAs, aPerson }) => {
  const [ana, ben, cem] = [aPerson('Ana'), aPerson('Ben'), aPerson('Cem')]
  const { id } = await shareWatchlist(server, [ana, ben, cem])
  const [anas, bens, cems] = [await openAs(ana), await openAs(ben), await openAs(cem)]
  await bens.setViewportSize({ width: 390, height: 844 })
  for (const page of [anas, bens, cems]) await page.goto(`/watchlists/${id}/night`)
  await anas.getByRole('button', { name: 'Plan a night' }).click()
  await anas.getByLabel('Date and time', { exact: true }).fill('2098-11-28T20:00')
  await anas.getByRole('button', { name: 'Plan the night' }).click()
  await expect(bens.getByRole('button', { name: 'Start the night' })).toBeVisible()

  const shiftsOfPlan = await watchShifts(bens)
  await anas
    .getByRole('group', { name: /^Your answer for/u })
    .getByText('In', { exact: true })
    .click()
  await expect(bens.getByText(/^In: /u)).toContainText(ana.name)
  await cems
    .getByRole('group', { name: /^Your answer for/u })
    .getByText('Maybe', { exact: true })
    .click()
  await expect(bens.getByText(/^Maybe: /u)).toContainText(cem.name)
  expect(await shiftsOfPlan()).toEqual([])

  await bens.getByRole('button', { name: 'Start the night' }).click()
  await expect(bens.getByText('1 person is here')).toBeVisible()
  // A shift soon after the press would count as the user's own.
  await bens.reload()
  await expect(bens.getByRole('button', { name: 'Choose a movie' })).toBeVisible()
  const shiftsOfNight = await watchShifts(bens)
  for (const page of [anas, cems]) await page.getByRole('button', { name: 'I’m here' }).click()
  await expect(bens.getByText('3 people are here')).toBeVisible()
  expect(await shiftsOfNight()).toEqual([])
})
