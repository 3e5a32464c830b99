import type { Page } from '@playwright/test'

import { expect, IN_MOTION, signIn, signUpAndIn, test } from '../support/journey.ts'

test.use(IN_MOTION)

test('two friends sign up and add, reveal and accept a movie, and a restart loses nothing', async ({
  browser,
  startWith,
  aPerson,
}) => {
  const server = await startWith({})
  const ana = aPerson('Ana')
  const ben = aPerson('Ben')
  const anasContext = await browser.newContext({ baseURL: server.url })
  const bensContext = await browser.newContext({ baseURL: server.url })
  const anasPage = await anasContext.newPage()
  const bensPage = await bensContext.newPage()

  await test.step('both sign up with the code from the mail', async () => {
    await Promise.all([signUpAndIn(anasPage, server, ana), signUpAndIn(bensPage, server, ben)])
    await expect(anasPage).toHaveURL(/\/watchlists$/u)
    await expect(bensPage).toHaveURL(/\/watchlists$/u)
    expect(server.output()).toMatch(/^\s*\d{6}\s*$/mu)
  })

  await test.step('Ana creates a watchlist', async () => {
    await anasPage.locator('input[name=name]').fill('Friday film club')
    await anasPage.locator('form button[type=submit]').click()
    await expect(anasPage).toHaveURL(/\/watchlists\/[0-9a-f-]{36}$/u)
    await expect(anasPage.getByRole('heading', { name: 'Friday film club' })).toBeVisible()
  })

  await test.step('Ana adds three movies to the box', async () => {
    for (const title of ['Paris, Texas', 'Playtime', 'Yi Yi']) await addMovie(anasPage, title)
    await expect(anasPage.getByText('3 cards', { exact: false }).first()).toBeVisible()
    await expect(anasPage.getByRole('article')).toHaveCount(0)
  })

  const title = await test.step('Ana reveals a random card and accepts it', async () => {
    await anasPage.getByRole('button', { name: 'Reveal random card' }).click()
    const card = anasPage.getByRole('article')
    await expect(card).toHaveCount(1)
    const name = (await card.getByRole('heading').first().textContent()) ?? ''
    expect(['Paris, Texas', 'Playtime', 'Yi Yi']).toContain(name)
    // While the card turns over, the button may move under the pointer.
    await expect(anasPage.locator('.animate-reveal')).toHaveCount(0)
    await card.getByRole('button', { name: 'Accept' }).click()
    await expect(card.getByRole('button', { name: 'Accept' })).toHaveCount(0)
    return name
  })

  await test.step('everything is still there after a power cut', async () => {
    await server.killAndRestart()
    await anasPage.reload()
    await expect(anasPage.getByRole('article').getByRole('heading', { name: title })).toBeVisible()
    await expect(anasPage.getByText('2 cards', { exact: false }).first()).toBeVisible()
  })

  await test.step('Ben, who is not a member, reads the watchlist by its link', async () => {
    await bensPage.goto(new URL(anasPage.url()).pathname)
    await expect(bensPage.getByRole('article').getByRole('heading', { name: title })).toBeVisible()
    await expect(bensPage.getByRole('button', { name: 'Reveal random card' })).toHaveCount(0)
  })

  await test.step('Ana signs out and in again, and sees her watchlist', async () => {
    await anasPage.getByRole('button', { name: 'Account' }).click()
    await anasPage.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(anasPage).toHaveURL(/\/auth\/login$/u)
    await signIn(anasPage, ana)
    await expect(anasPage.getByRole('heading', { name: 'Friday film club' })).toBeVisible()
  })

  await anasContext.close()
  await bensContext.close()
})

async function addMovie(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a movie' }).click()
  await page.locator('input[name=title]').fill(title)
  await page.locator('textarea[name=description]').fill(`Why we should watch ${title}`)
  await page.locator('input[name=imageUrl]').fill('http://posters.example.org/poster.jpg')
  await page.locator('form:has(input[name=title]) button[type=submit]').click()
  await expect(page.locator('input[name=title]')).toHaveCount(0)
}
