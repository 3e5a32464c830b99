import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Locator, Page } from '@playwright/test'

import { addressOf, answerTo, failRequests, holdRequests, isCallOf } from '../support/api.ts'
import { expect, test } from '../support/journey.ts'
import { register } from '../support/register.ts'
import { WEEKLY } from '../support/variations.ts'
import { cardOf, openWatchlist, shareWatchlist } from '../support/watchlist.ts'

function commentArea(page: Page, title = 'Night Tram') {
  const area = page.getByRole('region', { name: `Comments on ${title}` })
  return {
    area,
    items: area.getByRole('listitem'),
    previous: area.getByRole('button', { name: 'Load previous comments' }),
    open: area.getByRole('button', { name: 'Comment', exact: true }),
    field: area.getByLabel('Your comment', { exact: true }),
    submit: area.getByRole('button', { name: 'Add comment' }),
    cancel: area.getByRole('button', { name: 'Cancel' }),
    editField: area.getByLabel('Edit your comment'),
    save: area.getByRole('button', { name: 'Save' }),
  }
}

/** The texts of the comments, from top to bottom. */
async function contentsOf(items: Locator): Promise<string[]> {
  return await items.evaluateAll((comments) =>
    comments.map((comment) => comment.querySelector('p:not(:first-child)')?.textContent ?? ''),
  )
}

test(
  'the comment form submits with its button or Ctrl or Cmd plus Enter, and can be cancelled',
  WEEKLY,
  async ({ server, openAs, aPerson }) => {
    const ana = aPerson('Ana')
    const asAna = await register(server, ana)
    const { id } = await asAna.watchlist('Friday film club')
    await asAna.card(id, { title: 'Night Tram', status: 'REVEALED' })
    const page = await openAs(ana)
    await openWatchlist(page, id, 1)
    const { items, previous, open, field, submit, cancel } = commentArea(page)
    let sent = 0
    page.on('request', (request) => {
      if (isCallOf(request, ENDPOINTS.addComment)) sent += 1
    })

    await test.step('an empty comment cannot be submitted', async () => {
      await expect(field).toHaveCount(0)
      await open.click()
      await expect(field).toBeFocused()
      await expect(submit).toBeDisabled()
      await field.fill(' \n ')
      await expect(submit).toBeDisabled()
      await field.press('Control+Enter')
      expect(sent).toBe(0)
    })

    await test.step('cancelling empties the field', async () => {
      await field.fill('Never mind')
      await cancel.click()
      await expect(field).toHaveCount(0)
      await expect(open).toBeFocused()
      await open.click()
      await expect(field).toHaveValue('')
    })

    await test.step('the button adds a trimmed comment, which is shown before the server replies', async () => {
      const held = await holdRequests(page, addressOf(ENDPOINTS.addComment))
      await field.fill('  First things first \n')
      await submit.click()
      await expect(items).toContainText(['First things first'])
      await expect(field).toHaveValue('')
      await expect(submit).toBeDisabled()
      held.release()
      await expect(items.getByRole('button', { name: 'Edit' })).toBeVisible()
      await page.unroute(addressOf(ENDPOINTS.addComment))
    })

    await test.step('Ctrl plus Enter and Cmd plus Enter submit, and Enter alone starts a new line', async () => {
      await field.fill('Two')
      await field.press('Enter')
      await field.pressSequentially('lines')
      await field.press('Control+Enter')
      await expect(items).toHaveCount(2)
      await expect(field).toHaveValue('')
      await field.fill('Three')
      await expect(submit).toBeEnabled()
      await field.press('Meta+Enter')
      await expect(items).toHaveCount(3)
      await expect.poll(async () => await contentsOf(items)).toEqual(['First things first', 'Two\nlines', 'Three'])
      expect(sent).toBe(3)
    })

    await test.step('a failed comment disappears, its text stays in the field, and the error is shown', async () => {
      await failRequests(page, addressOf(ENDPOINTS.addComment))
      await field.fill('Four')
      await submit.click()
      await expect(page.getByRole('main').getByRole('alert')).toContainText('Failed to add the comment')
      await expect(items).toHaveCount(3)
      await expect(field).toHaveValue('Four')
      await page.unroute(addressOf(ENDPOINTS.addComment))
      await submit.click()
      await expect(items.last()).toContainText('Four')
      // Only a comment that is saved can be edited.
      await expect(items.last().getByRole('button', { name: 'Edit' })).toBeVisible()
      await expect(page.getByRole('alert')).toHaveCount(0)
    })

    await test.step('the last three comments are shown, even after a reload', async () => {
      await expect.poll(async () => await contentsOf(items)).toEqual(['Two\nlines', 'Three', 'Four'])
      await page.reload()
      await expect(items).toHaveCount(3)
      expect(await contentsOf(items)).toEqual(['Two\nlines', 'Three', 'Four'])
      await expect(items.last()).toContainText(ana.name)
      await expect(previous).toBeVisible()
    })
  },
)

test('previous comments load in pages of ten, above the last three', async ({ server, openAs, aPerson }) => {
  const ana = aPerson('Ana')
  const asAna = await register(server, ana)
  const { id } = await asAna.watchlist('Friday film club')
  const titles = ['Night Tram', 'Low Tide', 'Paper Lions']
  const [tram, tide, lions] = await Promise.all(
    titles.map(async (title) => await asAna.card(id, { title, status: 'REVEALED' })),
  )
  if (!tram || !tide || !lions) throw new Error('There are three cards')
  const contents = Array.from({ length: 23 }, (_, index) => `Comment ${index + 1}`)
  for (const content of contents) await asAna.comment(id, tram.id, content)
  for (const content of contents.slice(0, 2)) await asAna.comment(id, tide.id, content)
  for (const content of contents.slice(0, 3)) await asAna.comment(id, lions.id, content)
  const page = await openAs(ana)
  const pages: URLSearchParams[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (request.method() === 'GET' && pathname.endsWith(`${tram.id}/comments`)) pages.push(searchParams)
  })
  await openWatchlist(page, id, 3)

  await test.step('two comments show no button for more, and with three it disappears after a press', async () => {
    await expect(commentArea(page, 'Low Tide').items).toHaveCount(2)
    await expect(commentArea(page, 'Low Tide').previous).toHaveCount(0)
    const { items, previous } = commentArea(page, 'Paper Lions')
    await previous.click()
    await expect(previous).toHaveCount(0)
    await expect(items).toHaveCount(3)
  })

  const { items, previous, area } = commentArea(page)
  await expect.poll(async () => await contentsOf(items)).toEqual(contents.slice(-3))
  await failRequests(page, addressOf(ENDPOINTS.listComments), 404)
  await previous.click()
  await expect(area.getByRole('alert')).toContainText('Failed to load comments')
  await page.unroute(addressOf(ENDPOINTS.listComments))
  pages.length = 0

  for (const count of [10, 20, 23]) {
    await test.step(`${count} comments are shown`, async () => {
      await previous.click()
      await expect(items).toHaveCount(count)
      expect(await contentsOf(items)).toEqual(contents.slice(-count))
    })
  }
  await expect(area.getByRole('alert')).toHaveCount(0)
  await expect(previous).toHaveCount(0)
  expect(pages.map((query) => query.get('limit'))).toEqual(['10', '10', '10'])
  expect(pages.map((query) => query.has('nextToken'))).toEqual([false, true, true])
})

test(
  'an author edits a comment, which is then marked, and deletes it after a confirmation',
  WEEKLY,
  async ({ server, openAs, aPerson }) => {
    const ana = aPerson('Ana')
    const asAna = await register(server, ana)
    const { id } = await asAna.watchlist('Friday film club')
    const { id: cardId } = await asAna.card(id, { title: 'Night Tram', status: 'REVEALED' })
    for (const content of ['No one knows why', 'Watch it late']) await asAna.comment(id, cardId, content)
    const page = await openAs(ana)
    await openWatchlist(page, id, 1)
    const { area, items, editField, save, cancel } = commentArea(page)
    const first = items.first()
    const edit = first.getByRole('button', { name: 'Edit' })

    await test.step('cancelling restores the comment', async () => {
      await edit.click()
      await expect(editField).toBeFocused()
      await expect(editField).toHaveValue('No one knows why')
      await editField.fill('Everybody')
      await cancel.click()
      await expect(edit).toBeFocused()
      await expect(first).toContainText('No one knows why')
      await edit.click()
      await expect(editField).toHaveValue('No one knows why')
      await editField.fill('  ')
      await expect(save).toBeDisabled()
    })

    await test.step('a failed edit keeps the edited text in the form', async () => {
      await failRequests(page, addressOf(ENDPOINTS.editComment))
      await editField.fill('Everybody knows why')
      await save.click()
      await expect(area.getByRole('alert')).toContainText('Failed to edit the comment')
      await expect(editField).toHaveValue('Everybody knows why')
      await page.unroute(addressOf(ENDPOINTS.editComment))
    })

    await test.step('a saved comment is marked as edited, for all members and after a reload', async () => {
      const saved = answerTo(page, ENDPOINTS.editComment)
      await editField.press('Control+Enter')
      await expect(first).toContainText('Everybody knows why')
      await expect(first.getByText(/^Edited \w{3} \d{1,2}, \d{4}, \d{1,2}:\d{2}\s[AP]M$/u)).toBeVisible()
      await expect(items.last().getByText('Edited', { exact: false })).toHaveCount(0)
      await saved
      await page.reload()
      await expect(first.getByText(/^Edited /u)).toBeVisible()
    })

    await test.step('deleting a comment asks first', async () => {
      const remove = first.getByRole('button', { name: 'Delete' })
      const question = first.getByRole('group', { name: 'Delete this comment?' })
      await remove.click()
      await expect(question.getByRole('button', { name: 'No' })).toBeFocused()
      await question.getByRole('button', { name: 'No' }).click()
      await expect(remove).toBeFocused()
      await remove.click()
      await expect(question.getByRole('button', { name: 'No' })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(question).toHaveCount(0)
      await failRequests(page, addressOf(ENDPOINTS.deleteComment))
      await remove.click()
      await question.getByRole('button', { name: 'Yes' }).click()
      await expect(area.getByRole('alert')).toContainText('Failed to delete the comment')
      await expect(items).toHaveCount(2)
      await page.unroute(addressOf(ENDPOINTS.deleteComment))
      await remove.click()
      const deleted = answerTo(page, ENDPOINTS.deleteComment)
      await question.getByRole('button', { name: 'Yes' }).click()
      await expect(items).toHaveCount(1)
      await expect(area).toBeFocused()
      await deleted
      await page.reload()
      await expect(items).toContainText(['Watch it late'])
      await expect(items).toHaveCount(1)
    })
  },
)

test('only the author can change a comment, and non-members only read', WEEKLY, async ({ server, openAs, aPerson }) => {
  const [ana, ben, eve] = [aPerson('Ana'), aPerson('Ben'), aPerson('Eve')]
  const [{ id, asOwner, asMembers }] = await Promise.all([shareWatchlist(server, [ana, ben]), register(server, eve)])
  const { id: cardId } = await asOwner.card(id, { title: 'Night Tram', status: 'REVEALED' })
  await asOwner.card(id, { title: 'Low Tide', status: 'REVEALED' })
  await asOwner.comment(id, cardId, 'From Ana')
  await asMembers[0]?.comment(id, cardId, 'From Ben')

  for (const [person, others] of [
    [ana, 'From Ben'],
    [ben, 'From Ana'],
  ] as const) {
    const page = await openAs(person)
    await openWatchlist(page, id, 2)
    const { items } = commentArea(page)
    await expect(items).toHaveCount(2)
    await expect(items.filter({ hasText: others }).getByRole('button')).toHaveCount(0)
    await expect(items.filter({ hasNotText: others }).getByRole('button')).toHaveText(['Edit', 'Delete'])
  }

  const evesPage = await openAs(eve)
  await openWatchlist(evesPage, id, 2)
  const { area, items } = commentArea(evesPage)
  await expect(items).toHaveCount(2)
  await expect(area.getByRole('button')).toHaveCount(0)
  await expect(commentArea(evesPage, 'Low Tide').area).toHaveCount(0)
  await expect(cardOf(evesPage, 'Low Tide').getByRole('button', { name: 'Comment', exact: true })).toHaveCount(0)
})
