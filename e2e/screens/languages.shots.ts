import { expect, type Person } from '../support/journey.ts'
import { translator } from '../support/texts.ts'
import { shareWatchlist } from '../support/watchlist.ts'

import { FEED, test } from './film-club.ts'
import { shoot } from './shoot.ts'

const NIGHT_FILMS = ['Seven Lighthouses', 'Orbit, Slowly', 'Paper Lions']
const DARK = { themes: ['dark'] } as const

const aPerson = (name: string, mailbox: string): Person => ({
  name,
  email: `${mailbox}@example.org`,
  password: 'Passw0rd-film',
})

for (const { language, names } of [
  { language: 'de', names: ['Lina', 'Emil'] },
  { language: 'ar', names: ['سميرة', 'عمر'] },
] as const) {
  test.describe(language, () => {
    test.use({ locale: language })
    const t = translator(language)

    test(`the main screens are photographed in ${language}`, async ({ page: guest, openAs, club }) => {
      await guest.goto('/auth/login')
      await expect(guest.getByRole('heading', { name: t('auth-screens:login.title'), exact: true })).toBeVisible()
      await shoot(guest, `${language}-login`, DARK)

      const page = await openAs(club.mia)
      await page.goto('/watchlists')
      await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
      await shoot(page, `${language}-watchlists`, DARK)

      const watchlist = `/watchlists/${club.id}`
      await page.goto(watchlist)
      await expect(page.getByRole('article')).toHaveCount(FEED.length)
      await shoot(page, `${language}-watchlist`, { ...DARK, height: 1240 })

      await page.goto(`${watchlist}/library`)
      const movies = page.getByRole('list', { name: t('watchlist:library.list') })
      await expect(movies.getByRole('button')).toHaveCount(FEED.length)
      await shoot(page, `${language}-library`, DARK)

      await page.goto('/notifications')
      await expect(page.getByRole('list').getByRole('listitem').first()).toBeVisible()
      await shoot(page, `${language}-notifications`, DARK)
      await page.goto('/profile/edit')
      await expect(page.getByRole('button', { name: t('profile:picture.remove'), exact: true })).toBeVisible()
      await expect(page.getByRole('banner').getByText('Friday film club')).toBeVisible()
      await shoot(page, `${language}-edit-profile`, DARK)
    })

    test(`the vote of a movie night is photographed in ${language}`, async ({ openAs, server, club }) => {
      const owner = aPerson(names[0], `owner-${language}`)
      const { id, asMembers } = await shareWatchlist(server, [owner, aPerson(names[1], `member-${language}`)])
      for (const title of NIGHT_FILMS) await asMembers[0]?.card(id, { title, image: club.posterOf(title) })
      const page = await openAs(owner)
      await page.goto(`/watchlists/${id}/night`)
      await page.getByRole('button', { name: t('nights:night.startNow'), exact: true }).click()
      await page.getByRole('button', { name: t('nights:night.toDraw'), exact: true }).click()
      await page.getByRole('button', { name: t('nights:night.draw.shortlist'), exact: true }).click()
      await expect(page.getByRole('button', { name: t('nights:night.vote.score.2'), exact: true })).toBeVisible()
      const heading = page.getByRole('heading', { name: t('nights:night.vote.title'), exact: true })
      await shoot(page, `${language}-night`, { ...DARK, height: 1000, from: heading })
    })
  })
}
