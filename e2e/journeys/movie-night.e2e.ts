import { expect, IN_MOTION, test } from '../support/journey.ts'
import { vote } from '../support/night.ts'
import { signInWithoutForm } from '../support/register.ts'
import { cardOf, openRow, shareWatchlist } from '../support/watchlist.ts'

test.use(IN_MOTION)

test.describe.configure({ timeout: 240_000 })

const FILMS = ['Alphaville', 'Breathless', 'Close-Up', 'Night Tram', 'Playtime']
const PHONE = { width: 390, height: 844 }

test('a night on five screens ends with a watched movie, despite a crash and a lost connection', async ({
  browser,
  startWith,
  aPerson,
}) => {
  const server = await startWith({})
  const people = [aPerson('Ana'), aPerson('Ben'), aPerson('Cem')] as const
  const { id, asOwner } = await shareWatchlist(server, [...people])
  for (const title of FILMS) await asOwner.card(id, { title, movie: { runtimeMinutes: 99 } })
  const open = async (viewport: { width: number; height: number }) =>
    await (await browser.newContext({ baseURL: server.url, viewport })).newPage()
  const [anas, bens, laptop] = [await open(PHONE), await open(PHONE), await open({ width: 1280, height: 800 })]
  const [leas, tv] = [await open(PHONE), await open({ width: 1920, height: 1080 })]
  const members = [anas, bens, laptop]
  const [ana, ben, cem] = people

  for (const [place, page] of members.entries()) {
    const person = people[place]
    if (person === undefined) throw new Error('There are three members')
    await signInWithoutForm(page, server, person)
    await page.goto(`/watchlists/${id}/night`)
  }

  await test.step('a member plans, two others answer, and the night starts', async () => {
    await anas.getByRole('button', { name: 'Plan a night' }).click()
    await anas.getByLabel('Date and time', { exact: true }).fill('2098-11-28T20:00')
    await anas.getByRole('button', { name: 'Plan the night' }).click()
    for (const [page, { name }] of [
      [bens, ben],
      [laptop, cem],
    ] as const) {
      await page
        .getByRole('group', { name: /^Your answer for/u })
        .getByText('In', { exact: true })
        .click()
      await expect(anas.getByText(/^In: /u)).toContainText(name)
    }
    await anas.getByRole('button', { name: 'Start the night' }).click()
    for (const page of [bens, laptop]) await page.getByRole('button', { name: 'I’m here' }).click()
    await expect(anas.getByText('3 people are here')).toBeVisible()
  })

  await test.step('a guest and a television join by their codes', async () => {
    await anas.getByRole('button', { name: 'Options' }).click()
    await anas.getByRole('button', { name: 'Invite guests' }).click()
    const code = anas.getByRole('status').filter({ hasText: /^[A-Z2-9]{6}$/u })
    await leas.goto(`/join-night/${await code.innerText()}`)
    await leas.getByLabel('Your name').fill('Lea')
    await leas.keyboard.press('Enter')
    await expect(leas.getByText('4 people are here')).toBeVisible()
    await tv.goto('/tv')
    await expect(tv.getByRole('status')).toHaveText(/^[A-Z2-9]{6}$/u)
    await anas.getByRole('button', { name: 'Show on a TV' }).click()
    await anas.getByLabel('Code on the TV').fill(await tv.getByRole('status').innerText())
    await anas.getByRole('button', { name: 'Connect' }).click()
    await expect(tv.getByRole('heading', { name: 'Friday film club' })).toBeVisible()
    await expect(tv.getByText('Lea')).toBeVisible()
  })

  await test.step('a shortlist of five is drawn while one phone is offline', async () => {
    await bens.context().setOffline(true)
    await laptop.getByRole('button', { name: 'Choose a movie' }).click()
    await laptop.getByRole('button', { name: 'More filters' }).click()
    await laptop.getByLabel('Shortlist size').selectOption('5')
    await laptop.getByRole('button', { name: 'Draw a shortlist' }).click()
    await expect(tv.getByRole('status')).toHaveText('0 of 4 voted')
    await vote(anas, { loves: 'Alphaville' })
    await expect(tv.getByRole('status')).toHaveText('1 of 4 voted')
  })

  await test.step('a crash loses no vote, and the offline phone catches up', async () => {
    await server.killAndRestart()
    await bens.context().setOffline(false)
    await vote(leas, { loves: 'Breathless', vetoes: 'Close-Up' })
    await vote(laptop, { loves: 'Alphaville' })
    await expect(tv.getByRole('status')).toHaveText('3 of 4 voted')
    await expect(bens.getByText('3 of 4 voted')).toBeVisible({ timeout: 30_000 })
    await vote(bens, { loves: 'Alphaville' })
  })

  await test.step('the winner appears on all screens, and no screen shows who used the veto', async () => {
    for (const page of [...members, leas])
      await expect(page.getByRole('heading', { name: 'Alphaville wins' })).toBeVisible()
    await expect(tv.getByRole('status')).toHaveText('The winner: Alphaville')
    for (const page of [...members, leas]) await expect(page.getByText(/^Close-Up · .* · vetoed$/u)).toBeVisible()
  })

  await test.step('the accepted movie is recorded for all who are there, who rate it', async () => {
    await anas.getByRole('button', { name: 'Accept', exact: true }).click()
    for (const page of [...members, leas])
      await expect(page.getByRole('paragraph').filter({ hasText: 'Enjoy the movie!' })).toBeVisible()
    const films = laptop.getByRole('region', { name: 'Watched at movie nights' })
    for (const name of [ana.name, ben.name, cem.name, 'Lea']) await expect(films).toContainText(name)
    await expect(tv.getByRole('status')).toHaveText('Tonight’s movie: Alphaville')
    for (const page of [...members, leas, tv]) await expect(page.getByText(/^Ends around \d/u)).toBeVisible()
    await expect(films.locator('img')).toHaveCount(1)
    await anas.getByRole('link', { name: 'Box' }).click()
    await openRow(anas, 'Alphaville')
    await cardOf(anas, 'Alphaville').getByRole('button', { name: 'Rate it' }).click()
    const best = anas.getByRole('radio', { name: '5 stars', exact: true })
    await cardOf(anas, 'Alphaville').locator('label').filter({ has: best }).click()
    await cardOf(anas, 'Alphaville').getByRole('button', { name: 'Save' }).click()
    await expect(cardOf(anas, 'Alphaville').getByText('Average 5 (1 rating)')).toBeVisible()
    await anas.getByRole('link', { name: 'Back to the night' }).click()
    await expect(anas.getByRole('region', { name: 'Watched at movie nights' })).toContainText('You: ★★★★★')
  })

  for (const page of [...members, leas, tv]) await page.context().close()
})
