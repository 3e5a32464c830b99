import { ENDPOINTS } from '@marquee/contract/endpoints'

import { expectAccessible } from '../support/accessibility.ts'
import { callApi } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { registerAndSignIn } from '../support/register.ts'
import { idTokenOf, seedAs } from '../support/seed.ts'

test('a member sees what was watched in a period, as sentences, charts, tables and pictures', async ({
  page,
  server,
  aPerson,
}) => {
  const ana = aPerson('Ana')
  await registerAndSignIn(page, server, ana)
  const seeder = await seedAs(page)
  const { id } = await seeder.watchlist('Friday film club')
  await page.goto(`/watchlists/${id}`)
  await page.getByRole('link', { name: 'Library' }).click()
  await page.getByRole('link', { name: 'Statistics' }).click()

  await test.step('the page explains what counts if no movie was watched', async () => {
    await expect(page.getByText('Nothing watched in this period')).toBeVisible()
  })

  await test.step('movies that are accepted in the meantime appear in sentences', async () => {
    await seeder.card(id, { title: 'Ran', status: 'WATCHED', movie: { year: 1985, runtimeMinutes: 162 } })
    await seeder.card(id, { title: 'Stalker', status: 'WATCHED' })
    await seeder.card(id, { title: 'Cats', status: 'REJECTED' })
    const story = page.getByRole('region', { name: 'The story so far' })
    await expect(story.getByText('You have watched 2 movies together.')).toBeVisible()
    await expect(story.getByText('Running time: 2 h 42, not counting 1 movie of unknown length.')).toBeVisible()
    await expect(story.getByText(`Suggested by ${ana.name} (2).`)).toBeVisible()
    await expect(story.getByText('1 card was declined.')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Who suggested them' })).toHaveCount(0)
    await expectAccessible(page, 'the statistics of a small club')
  })

  await test.step('six movies are shown as numbers and charts', async () => {
    for (const title of ['Alphaville', 'Breathless', 'Night Tram', 'Low Tide']) {
      await seeder.card(id, { title, status: 'WATCHED', movie: { year: 1985, runtimeMinutes: 60 } })
    }
    await expect(page.getByText('movies watched')).toBeVisible()
    await expect(page.getByRole('definition').filter({ hasText: /^6$/u })).toBeVisible()
    await expect(page.getByText('not counting 1 movie of unknown length')).toBeVisible()
    await expect(page.getByText('card declined')).toBeVisible()
  })

  await test.step('a chart has a table, which is always available to screen readers', async () => {
    const people = page.getByRole('region', { name: 'Who suggested them' })
    await expect(people.getByRole('row', { name: `${ana.name} 6` })).toBeAttached()
    await people.getByRole('button', { name: 'Show as table' }).click()
    await expect(people.getByRole('row', { name: `${ana.name} 6` })).toBeInViewport()
  })

  await test.step('a movie night and a draw by person appear in sentences', async () => {
    await expect(page.getByRole('region', { name: 'Movie nights' })).toBeHidden()
    const token = await idTokenOf(page)
    const params = { watchlistId: id }
    await seeder.card(id, { title: 'Brazil' })
    await callApi(server.url, token, ENDPOINTS.setDrawRule, { params, body: { rule: 'people', rest: 0 } })
    const { id: nightId } = await callApi(server.url, token, ENDPOINTS.openNight, { params })
    const body = { nightId, picks: 3 }
    const { drawNumber } = await callApi(server.url, token, ENDPOINTS.prepareDraw, { params, body })
    await callApi(server.url, token, ENDPOINTS.openVote, {
      params: { nightId },
      body: { drawNumber, seeds: ['5e'.repeat(32)] },
    })
    await expect(page.getByText(`There was 1 movie night, with ${ana.name} (1).`)).toBeVisible()
    await expect(page.getByText(`The draw picked ${ana.name} (1).`)).toBeVisible()
    await expectAccessible(page, 'the statistics')
  })

  await test.step('the year is a row of pictures that can be browsed and saved', async () => {
    const year = new Date().getFullYear()
    await page.getByRole('link', { name: `Our ${year} in pictures` }).click()
    const pictures = page.getByRole('dialog', { name: `Our ${year}` })
    await expect(pictures.getByRole('heading', { name: 'Friday film club' })).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(pictures.getByText('7 hours of movies')).toBeVisible()
    await expect(page).toHaveURL(/\?picture=2$/u)
    await expectAccessible(page, 'a picture of the year')
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      pictures.getByRole('button', { name: 'Save as picture' }).click(),
    ])
    expect(saved.suggestedFilename()).toBe(`Our ${year} 2.png`)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: 'Statistics' })).toBeVisible()
  })

  await test.step('the period is in the URL and survives a reload', async () => {
    await page.getByText('Last year', { exact: true }).click()
    await expect(page.getByText('Nothing watched in this period')).toBeVisible()
    await expect(page).toHaveURL(/\?period=last-year$/u)
    await page.reload()
    await expect(page.getByRole('radio', { name: 'Last year' })).toBeChecked()
  })
})
