import { readFile } from 'node:fs/promises'

import { DrawReceipt } from '@marquee/contract/entities/draw'

import { expectAccessible } from '../support/accessibility.ts'
import { expect, test } from '../support/journey.ts'
import { registerAndSignIn } from '../support/register.ts'
import { seedAs } from '../support/seed.ts'

test('a member sees the odds, draws a card, checks the draw with the keyboard and saves its receipt', async ({
  page,
  server,
  aPerson,
}) => {
  await registerAndSignIn(page, server, aPerson('Ana'))
  const seeder = await seedAs(page)
  const { id } = await seeder.watchlist('Friday film club')
  for (const title of ['Night Tram', 'Low Tide', 'Paper Lions']) await seeder.card(id, { title })

  await test.step('the owner sets the draw rule in the settings', async () => {
    await page.goto(`/watchlists/${id}/settings`)
    await page.getByRole('radio', { name: 'Equal chance per person' }).check({ force: true })
    await expect(page.getByText('100%')).toBeVisible()
    await expectAccessible(page, 'the odds')
  })

  await test.step('a card is drawn', async () => {
    await page.getByRole('link', { name: 'Box' }).click()
    await page.getByRole('button', { name: 'Reveal random card' }).click()
    await expect(page.getByRole('article')).toHaveCount(1)
  })

  await test.step('the draw appears in the log and passes its check', async () => {
    const title = await page.getByRole('article').getByRole('heading').innerText()
    await page.getByRole('link', { name: 'Library' }).click()
    await page.getByRole('link', { name: 'Draws' }).click()
    await expectAccessible(page, 'the log of the draws')
    await page.getByRole('link', { name: title }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Check this draw' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('This draw checks out.')).toBeVisible()
    await expect(page.getByRole('main').getByText(title)).toBeVisible()
    await expectAccessible(page, 'a checked draw')
  })

  await test.step('the downloaded receipt is complete', async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the receipt' }).click()
    const file = await download
    const receipt = DrawReceipt.parse(JSON.parse(await readFile(await file.path(), 'utf8')))
    expect([file.suggestedFilename(), receipt.rule, receipt.seeds.length]).toEqual(['draw-1.json', 'people', 1])
  })
})
