import type { Page } from '@playwright/test'

import { expectAccessible } from '../support/accessibility.ts'
import { sendPassword } from '../support/forms.ts'
import { expect, test } from '../support/journey.ts'
import { answerAll, vote } from '../support/night.ts'
import { openScreen } from '../support/screens.ts'
import { shareWatchlist } from '../support/watchlist.ts'

async function plan(page: Page, times: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'Plan a night' }).click()
  for (const [n, time] of times.entries()) {
    if (n > 0) await page.getByRole('button', { name: 'Add another option' }).click()
    await page.getByLabel(n === 0 ? 'Date and time' : `Option ${n + 1}`, { exact: true }).fill(time)
  }
  await page.getByLabel('Time zone').selectOption('Europe/Berlin')
  await page.getByLabel('Place or link to a call').fill('At Ana’s')
  await expectAccessible(page, 'the plan of a night')
  await page.getByRole('button', { name: 'Plan the night' }).click()
}

test('two members choose a time, start the night, and see who is there', async ({ server, openAs, aPerson }) => {
  const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
  const { id, asOwner } = await shareWatchlist(server, [ana, ben])
  await asOwner.card(id, { title: 'Night Tram' })
  const [anas, bens] = [await openAs(ana), await openAs(ben)]
  await anas.goto(`/watchlists/${id}`)
  await anas.getByRole('link', { name: 'Night' }).click()
  await bens.goto(`/watchlists/${id}/night`)
  await expect(bens.getByText('No movie night is planned.')).toBeVisible()

  await test.step('the plan appears on the other screen, and both members answer', async () => {
    await plan(anas, ['2098-11-28T20:00', '2098-11-29T20:00'])
    const friday = bens.getByRole('group', { name: 'Your answer for Fri, Nov 28, 8:00 PM' })
    await friday.getByText('In').click()
    await expect(anas.getByText(`In: ${ben.name}`)).toBeVisible()
    await expectAccessible(anas, 'a planned night')
  })

  await test.step('choosing a time removes the other times', async () => {
    await anas.getByRole('button', { name: 'Confirm this time: Fri, Nov 28, 8:00 PM' }).click()
    await expect(bens.getByRole('heading', { name: 'Fri, Nov 28, 8:00 PM' })).toBeVisible()
    await expect(bens.getByText('Sat, Nov 29')).toHaveCount(0)
  })

  await test.step('a calendar address is shown once', async () => {
    await openScreen(bens, `/watchlists/${id}/settings`)
    await bens.getByRole('button', { name: 'Subscribe in your calendar' }).click()
    const address = await bens.getByLabel('Your calendar address').inputValue()
    expect((await bens.request.get(address)).status()).toBe(200)
    await expectAccessible(bens, 'a calendar address')
    await bens.reload()
    await bens.getByRole('button', { name: 'Stop' }).click()
    await expect(bens.getByRole('button', { name: 'Subscribe in your calendar' })).toBeVisible()
    expect((await bens.request.get(address)).status()).toBe(404)
    await openScreen(bens, `/watchlists/${id}/night`)
  })

  await test.step('the night starts for both, and shows who is there', async () => {
    await anas.getByRole('button', { name: 'Start the night' }).click()
    await bens.getByRole('button', { name: 'I’m here' }).click()
    await expect(anas.getByText('2 people are here')).toBeVisible()
    await anas.getByRole('button', { name: 'Options' }).click()
    await anas.getByRole('button', { name: 'Leave' }).click()
    await expect(bens.getByText('1 person is here')).toBeVisible()
  })

  await test.step('a drawn movie appears on both screens', async () => {
    await bens.getByRole('button', { name: 'Choose a movie' }).click()
    await expectAccessible(bens, 'the draw of a night')
    await bens.getByRole('button', { name: 'Draw a movie' }).click()
    for (const page of [anas, bens]) await expect(page.getByRole('article', { name: 'Night Tram' })).toBeVisible()
    await expectAccessible(bens, 'an open night with a drawn movie')
    await bens.getByRole('button', { name: 'Draw another movie' }).click()
    await bens.getByRole('button', { name: 'Draw a movie' }).click()
    await expect(bens.getByText('No movie was drawn.')).toBeVisible()
    await bens.getByRole('button', { name: 'Back' }).click()
  })

  await test.step('a veto puts the movie back, and no screen shows who used it', async () => {
    await anas.getByRole('button', { name: 'I’m here' }).click()
    await anas.getByRole('button', { name: 'Veto Night Tram' }).click()
    await expect(anas.getByText('it is easy to guess who used a veto')).toBeVisible()
    await expectAccessible(anas, 'the question before a veto', { weekly: true })
    await anas.getByRole('button', { name: 'Veto', exact: true }).click()
    for (const page of [anas, bens])
      await expect(page.getByRole('paragraph').filter({ hasText: 'Someone used a veto.' })).toBeVisible()
    await expect(bens.getByText('Night Tram')).toHaveCount(0)
  })

  await test.step('both members vote on a shortlist and see the winner', async () => {
    await asOwner.card(id, { title: 'Alphaville' })
    await asOwner.card(id, { title: 'Breathless' })
    await bens.getByRole('button', { name: 'Choose a movie' }).click()
    await bens.getByRole('button', { name: 'Draw a shortlist' }).click()
    await expect(bens.getByRole('group').getByRole('button', { pressed: true })).toHaveCount(0)
    await expectAccessible(bens, 'the vote on a shortlist')
    await answerAll(bens, { loves: 'Alphaville' })
    await bens.reload()
    await expect(bens.getByRole('button', { name: 'Alphaville Love it' })).toBeVisible()
    await expectAccessible(bens, 'all choices of a vote', { weekly: true })
    await bens.getByRole('button', { name: 'Vote', exact: true }).click()
    await expect(anas.getByText('1 of 2 voted')).toBeVisible()
    await vote(anas, { loves: 'Alphaville', vetoes: 'Breathless' })
    await expect(anas.getByRole('heading', { name: 'Alphaville wins' })).toBeVisible()
    await expect(bens.getByRole('heading', { name: 'Alphaville wins' })).toBeVisible()
    const said = bens.getByRole('main').getByRole('status').filter({ hasText: 'Alphaville wins' })
    await expect(said).toBeAttached()
    for (const title of ['Night Tram', 'Breathless']) await expect(bens.getByText(title)).toBeVisible()
    await expectAccessible(bens, 'the result of a vote')
  })

  await test.step('a member accepts the winner, undoes that, and accepts it again', async () => {
    await anas.getByRole('button', { name: 'Accept' }).click()
    await anas.getByRole('button', { name: /^Undo/u }).click()
    await anas.getByRole('button', { name: 'Accept' }).click()
    for (const page of [anas, bens])
      await expect(page.getByRole('paragraph').filter({ hasText: 'Enjoy the movie!' })).toBeVisible()
    await expectAccessible(bens, 'a night with an accepted movie', { weekly: true })
  })

  await test.step('the night ends for both', async () => {
    await bens.getByRole('button', { name: 'End the night' }).click()
    await bens.getByRole('dialog').getByRole('button', { name: 'End the night' }).click()
    await expect(anas.getByText('No movie night is planned.')).toBeVisible()
  })
})

test('a guest joins by the code, votes, and keeps the vote with an account', async ({
  server,
  openAs,
  aPerson,
  browser,
  browserErrors,
}) => {
  const [ana, lea] = [aPerson('Ana'), aPerson('Lea')]
  const { id, asOwner } = await shareWatchlist(server, [ana, lea])
  for (const title of ['Night Tram', 'Alphaville', 'Breathless']) await asOwner.card(id, { title })
  const anas = await openAs(ana)
  await anas.goto(`/watchlists/${id}/night`)
  await anas.getByRole('button', { name: 'Start now' }).click()
  await anas.getByRole('button', { name: 'Options' }).click()
  await anas.getByRole('button', { name: 'Invite guests' }).click()
  const code = await anas
    .getByRole('status')
    .filter({ hasText: /^[A-Z2-9]{6}$/u })
    .innerText()
  await expectAccessible(anas, 'an open night with a code')
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 390, height: 844 } })
  const leas = await context.newPage()
  leas.on('pageerror', ({ message }) => browserErrors.push(message))

  await test.step('the guest joins by keyboard, and a taken name is rejected', async () => {
    await leas.goto(`/join-night/${code}`)
    await expect(leas.getByLabel('Code')).toHaveValue(code)
    await leas.getByLabel('Your name').press('Enter')
    await expect(leas.getByText('This field is required')).toBeVisible()
    await leas.getByLabel('Your name').fill(ana.name)
    await leas.keyboard.press('Enter')
    await expect(leas.getByText('Someone here has this name.')).toBeVisible()
    await expectAccessible(leas, 'the form to join a night')
    await leas.getByLabel('Your name').fill('Lea')
    await leas.keyboard.press('Enter')
    await expect(leas.getByText('2 people are here')).toBeVisible()
    await expect(leas).toHaveTitle('Movie night · Friday film club · Marquee')
    await expect(anas.getByText('Lea (guest)')).toBeVisible()
  })

  await test.step('a member renews the code and allows many guests, and the guest stays', async () => {
    const shown = anas.getByRole('status').filter({ hasText: /^[A-Z2-9]{6}$/u })
    await anas.getByRole('button', { name: 'New code' }).click()
    await expect(shown).not.toHaveText(code)
    await anas.getByRole('switch', { name: 'Many guests on one Wi-Fi' }).click()
    await expect(anas.getByRole('switch', { name: 'Many guests on one Wi-Fi' })).toBeChecked()
    await expect(leas.getByText('2 people are here')).toBeVisible()
  })

  await test.step('a removed guest does not come back in the same browser', async () => {
    const next = await anas
      .getByRole('status')
      .filter({ hasText: /^[A-Z2-9]{6}$/u })
      .innerText()
    const eves = await browser.newPage({ baseURL: server.url })
    await eves.goto(`/join-night/${next}`)
    await eves.getByLabel('Your name').fill('Eve')
    await eves.keyboard.press('Enter')
    await anas.getByRole('button', { name: 'Remove Eve' }).click()
    await anas.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(eves.getByText('You have left this movie night.')).toBeVisible()
    await eves.getByText('Join with a code').click()
    await eves.getByLabel('Code').fill(next)
    await eves.getByLabel('Your name').fill('Eve again')
    await eves.keyboard.press('Enter')
    await expect(eves.getByText('This code is not valid')).toBeVisible()
    await eves.close()
  })

  await test.step('the guest votes and is counted', async () => {
    await anas.getByRole('button', { name: 'Choose a movie' }).click()
    await anas.getByRole('button', { name: 'Draw a shortlist' }).click()
    await expect(leas.getByRole('heading', { level: 3 }).last()).toBeVisible()
    await expectAccessible(leas, 'the vote of a guest', { weekly: true })
    await answerAll(leas, { loves: 'Alphaville' })
    await leas.reload()
    await expect(leas.getByRole('button', { name: 'Alphaville Love it' })).toBeVisible()
    await leas.getByRole('button', { name: 'Vote', exact: true }).click()
    await expect(anas.getByText('1 of 2 voted')).toBeVisible()
    await leas.reload()
    await expect(leas.getByText('Your vote is in.')).toBeVisible()
    await leas.getByRole('button', { name: 'Breathless Fine' }).click()
    await leas.getByRole('button', { name: 'Rather not' }).click()
    await leas.getByRole('button', { name: 'Change my vote' }).click()
    await vote(anas, { loves: 'Alphaville' })
    await expect(leas.getByRole('heading', { name: 'Alphaville wins' })).toBeVisible()
  })

  await test.step('a person without a phone votes on a member’s phone, by keyboard', async () => {
    await anas.getByRole('button', { name: 'Draw another movie' }).click()
    await anas.getByRole('button', { name: 'More filters' }).click()
    await expect(anas.getByText('1 to 2 movies of 2 match.')).toBeVisible()
    await expectAccessible(anas, 'the filters of a draw')
    for (const title of ['Band of Outsiders', 'Contempt']) await asOwner.card(id, { title })
    await expect(anas.getByText('1 to 4 movies of 4 match.')).toBeVisible()
    await anas.getByRole('button', { name: 'Draw a shortlist' }).click()
    await anas.getByRole('button', { name: 'Pass the phone' }).press('Enter')
    await expect(anas.getByLabel('Name')).toBeFocused()
    await anas.keyboard.type('Max')
    await anas.keyboard.press('Enter')
    await expect(anas.getByRole('dialog').getByText('Max')).toBeVisible()
    await expect(leas.getByText('Max (guest)')).toBeVisible()
    await expectAccessible(anas, 'people without a phone')
    await anas.getByRole('button', { name: 'Start' }).press('Enter')
    await expect(anas.getByRole('button', { name: 'I’m Max' })).toBeFocused()
    await expectAccessible(anas, 'the phone is handed over', { weekly: true })
    await anas.reload()
    await anas.getByRole('button', { name: 'I’m Max' }).press('Enter')
    await expectAccessible(anas, 'the vote of a person without a phone')
    const ballot = anas.getByRole('dialog')
    for (const place of [1, 2, 3]) {
      await expect(ballot.getByText(`${place} of 3`)).toBeVisible()
      await ballot.getByRole('button', { name: 'Fine', exact: true }).press('Enter')
    }
    await ballot.getByRole('button', { name: 'Vote', exact: true }).press('Enter')
    await anas.getByRole('button', { name: `I’m ${ana.name}` }).press('Enter')
    await expect(anas.getByRole('dialog')).toHaveCount(0)
    await expect(leas.getByText('1 of 3 voted')).toBeVisible()
    await anas.getByRole('button', { name: 'End voting' }).click()
    await anas.getByRole('dialog').getByRole('button', { name: 'End voting' }).click()
    await expect(leas.getByText('1 of 3 voted.')).toBeVisible()
  })

  await test.step('the guest becomes a member of the night after signing in', async () => {
    await leas.getByRole('link', { name: 'I have an account' }).click()
    await sendPassword(leas, lea)
    await leas.getByRole('button', { name: 'Save tonight' }).click()
    await expect(leas.getByRole('heading', { name: 'Movie night is on' })).toBeVisible()
    await expect(anas.getByText('Lea (guest)')).toHaveCount(0)
    await expect(anas.getByText('3 people are here')).toBeVisible()
  })
  await context.close()
})

test('a guest on a phone enters the code, votes, sees the result and leaves', async ({
  server,
  openAs,
  aPerson,
  browser,
  browserErrors,
}) => {
  const ana = aPerson('Ana')
  const { id, asOwner } = await shareWatchlist(server, [ana])
  for (const title of ['Night Tram', 'Alphaville', 'Breathless']) await asOwner.card(id, { title })
  const anas = await openAs(ana)
  await anas.goto(`/watchlists/${id}/night`)
  await anas.getByRole('button', { name: 'Start now' }).click()
  await anas.getByRole('button', { name: 'Options' }).click()
  await anas.getByRole('button', { name: 'Invite guests' }).click()
  const code = anas.getByRole('status').filter({ hasText: /^[A-Z2-9]{6}$/u })
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const leas = await context.newPage()
  leas.on('pageerror', ({ message }) => browserErrors.push(message))

  await leas.goto('/')
  await leas.getByRole('link', { name: 'Join as a guest' }).tap()
  await leas.getByLabel('Code').fill((await code.innerText()).toLowerCase())
  await leas.getByLabel('Your name').fill('Lea')
  await leas.getByRole('button', { name: 'Join', exact: true }).tap()
  await expect(leas.getByRole('heading', { level: 1 })).toHaveText('Movie night: Friday film club')
  await expect(leas.getByText('2 people are here')).toBeVisible()

  await anas.getByRole('button', { name: 'Choose a movie' }).click()
  await anas.getByRole('button', { name: 'Draw a shortlist' }).click()
  await vote(leas, { loves: 'Alphaville' })
  await expect(leas.getByText('Your vote is in.')).toBeVisible()
  await vote(anas, { loves: 'Alphaville' })
  await expect(leas.getByRole('heading', { name: 'Alphaville wins' })).toBeVisible()
  await anas.getByRole('button', { name: 'Accept' }).click()
  await expect(leas.getByRole('article', { name: 'Alphaville' }).getByText('Enjoy the movie!')).toBeVisible()

  await leas.getByRole('button', { name: 'Leave', exact: true }).tap()
  await expect(leas.getByRole('dialog')).toBeVisible()
  await leas.goBack()
  await expect(leas.getByRole('dialog')).toHaveCount(0)
  await leas.getByRole('button', { name: 'Leave', exact: true }).tap()
  await leas.getByRole('dialog').getByRole('button', { name: 'Leave' }).tap()
  await expect(leas.getByLabel('Your name')).toBeVisible()
  await expect(anas.getByText('1 person is here')).toBeVisible()
  await context.close()
})
