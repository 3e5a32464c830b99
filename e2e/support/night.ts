import { expect, type Locator, type Page } from '@playwright/test'

type Votes = { loves: string; vetoes?: string }

/** Answers for each movie of the shortlist: loves one, perhaps vetoes one, and finds the others fine. Does not send the vote. */
export async function answerAll(place: Page | Locator, { loves, vetoes }: Votes): Promise<void> {
  const title = place.getByRole('heading', { level: 3 }).last()
  const pages = place.getByRole('navigation', { name: 'Movies of the shortlist' })
  const count = Number((await pages.innerText()).trim().split(' ').at(-1))
  for (let page = 1; page <= count; page += 1) {
    await expect(pages).toContainText(`${page} of ${count}`)
    const film = await title.innerText()
    const score = film === loves ? 'Love it' : 'Fine'
    const choice = film === vetoes ? `Veto ${film}` : score
    await place.getByRole('button', { name: choice, exact: true }).click()
  }
  await expect(title).toHaveText('Your vote')
}

/** Answers for each movie of the shortlist, and sends the vote. */
export async function vote(place: Page | Locator, votes: Votes): Promise<void> {
  await answerAll(place, votes)
  await place.getByRole('button', { name: 'Vote', exact: true }).click()
}
