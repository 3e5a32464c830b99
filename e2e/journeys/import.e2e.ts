import { ENDPOINTS } from '@marquee/contract/endpoints'

import { expectAccessible } from '../support/accessibility.ts'
import { answerTo } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { register } from '../support/register.ts'

const aFile = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

const FILE = aFile(
  'watchlist.csv',
  `Date,Name,Year,Letterboxd URI
2026-01-01,Ran,1985,https://boxd.it/2aUc
2026-01-02,Paris; Texas,1984,https://boxd.it/29dK
2026-01-03,Stalker,1979,https://boxd.it/28VQ
2026-01-04,Stalker,1979,https://boxd.it/28VQ
2026-01-05,Alien,1980,https://boxd.it/2awY
2026-01-06,,1979,https://boxd.it/2xyz
`,
)

test('a member reviews a file, adds its movies, and takes them out again', async ({ server, openAs, aPerson }) => {
  const ana = aPerson('Ana')
  const asAna = await register(server, ana)
  const { id } = await asAna.watchlist('Friday film club')
  const page = await openAs(ana)

  await test.step('a file without movies is rejected with the reason', async () => {
    await page.goto(`/watchlists/${id}`)
    await page.getByRole('link', { name: 'Club' }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Import movies' }).click()
    await expect(page.getByRole('heading', { name: 'Import movies into Friday film club' })).toBeVisible()
    await page.getByLabel('Choose a file').setInputFiles(aFile('places.csv', 'Place\nBerlin\n'))
    await expect(page.getByRole('alert')).toContainText('The first row of the table must name its columns')
    await expectAccessible(page, 'a file that was refused')
  })

  await test.step('the rows are grouped, and the choice survives a reload', async () => {
    await page.getByLabel('Choose a file').setInputFiles(FILE)
    await expect(page.getByRole('heading', { name: '5 movies in watchlist.csv' })).toBeFocused()
    await page.getByText('1 row cannot be imported').click()
    await expect(page.getByText('Row 7: The title is missing')).toBeVisible()
    const saved = answerTo(page, ENDPOINTS.chooseImportRows)
    await page.getByRole('checkbox', { name: 'Alien (1980)' }).uncheck()
    await saved
    await page.getByText('Duplicates in the file (1)').click()
    await expect(page.getByText('Row 4 is Stalker')).toBeVisible()
    await expectAccessible(page, 'the review of an import')
    await page.reload()
    await expect(page.getByRole('button', { name: 'Add 3 movies' })).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'Alien (1980)' })).not.toBeChecked()
  })

  await test.step('the movies are in the box as suggestions', async () => {
    await page.getByRole('button', { name: 'Add 3 movies' }).click()
    await expect(page.getByRole('heading', { name: '3 movies are in the box' })).toBeFocused()
    await expectAccessible(page, 'an import that was applied')
    await page.getByRole('link', { name: 'Go to the watchlist' }).click()
    await page.getByRole('link', { name: '3 are yours' }).click()
    await expect(page.getByRole('list', { name: 'Your suggestions' })).toContainText('Ran')
  })

  await test.step('an undo takes them out of the box', async () => {
    await page.getByRole('link', { name: 'Club' }).click()
    await page.getByRole('button', { name: 'Undo import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
    await expect(page.getByRole('heading', { name: '3 movies were removed' })).toBeFocused()
    await page.getByRole('button', { name: 'Import another file' }).click()
    await expect(page.getByText('undone')).toBeVisible()
    await expect(page.getByLabel('Choose a file')).toBeFocused()
  })
})
