import { type Browser, expect, type Page } from '@playwright/test'
import sharp from 'sharp'

import { type Person, signIn } from '../support/journey.ts'
import { answerAll, vote } from '../support/night.ts'
import { shareWatchlist } from '../support/watchlist.ts'
import { test } from './film-club.ts'
import { PICTURES } from './shoot.ts'

const PHONE = { width: 390, height: 844 }
const TELEVISIONS = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
]
const FILMS = ['Seven Lighthouses', 'Orbit, Slowly', 'Paper Lions']

test.describe.configure({ timeout: 180_000 })

test('the devices of a movie night are photographed: a television, a guest’s phone, and a phone that is passed', async ({
  browser,
  server,
  club,
}) => {
  const ida = personCalled('Ida')
  const { id, asOwner } = await shareWatchlist(server, [ida])
  for (const title of FILMS) await asOwner.card(id, { title, image: club.posterOf(title) })
  const [tv, phone, leas] = await openAll(browser, server.url)

  await tv.goto('/tv')
  await expect(tv.getByRole('status')).toHaveText(/^[A-Z2-9]{6}$/u)
  await shootTv(tv, 'code')

  await phone.goto('/auth/login')
  await signIn(phone, ida)
  await phone.goto(`/watchlists/${id}/night`)
  await phone.getByRole('button', { name: 'Start now' }).click()
  await phone.getByRole('button', { name: 'Options' }).click()
  await phone.getByRole('button', { name: 'Show on a TV' }).click()
  await phone.getByLabel('Code on the TV').fill(await tv.getByRole('status').innerText())
  await phone.getByRole('button', { name: 'Connect' }).click()
  await phone.getByRole('button', { name: 'Invite guests' }).click()
  const code = phone.getByRole('status').filter({ hasText: /^[A-Z2-9]{6}$/u })
  await leas.goto(`/join-night/${await code.innerText()}`)
  await leas.getByLabel('Your name').fill('Lea')
  await shootPhone(leas, 'guest-join')
  await leas.keyboard.press('Enter')
  await expect(tv.getByText('Lea')).toBeVisible()
  await shootTv(tv, 'waiting')

  await phone.getByRole('button', { name: 'Choose a movie' }).click()
  await phone.getByRole('button', { name: 'Draw a movie' }).click()
  await expect(leas.getByRole('button', { name: /^Veto / })).toBeVisible()
  await expect(tv.getByRole('status')).toHaveText(/^The draw picked: /u)
  await shootTv(tv, 'drawn')
  await shootPhone(leas, 'guest-drawn')
  await leas.getByRole('button', { name: /^Veto / }).click()
  await shootPhone(leas, 'guest-veto')
  await leas.getByRole('button', { name: 'Veto', exact: true }).click()
  await expect(tv.getByRole('status')).toHaveText(/^Someone used a veto/u)
  await shootTv(tv, 'veto')

  await phone.getByRole('button', { name: 'Choose a movie' }).click()
  await phone.getByRole('button', { name: 'Draw a shortlist' }).click()
  await expect(leas.getByRole('button', { name: 'Love it' })).toBeVisible()
  await shootPhone(leas, 'guest-vote')
  await vote(leas, { loves: 'Paper Lions' })

  await phone.getByRole('button', { name: 'Pass the phone' }).click()
  await phone.getByLabel('Name').fill('Grandpa')
  await phone.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(phone.getByRole('dialog').getByText('Grandpa')).toBeVisible()
  await shootPhone(phone, 'pass-people')
  await phone.getByRole('button', { name: 'Start' }).click()
  await shootPhone(phone, 'pass-hand-over')
  await phone.getByRole('button', { name: 'I’m Grandpa' }).click()
  const turn = phone.getByRole('dialog')
  await expect(turn.getByRole('button', { name: 'Love it' })).toBeVisible()
  await shootPhone(phone, 'pass-vote')
  await expect(tv.getByRole('status')).toHaveText('1 of 3 voted')
  await shootTv(tv, 'vote')
  await answerAll(turn, { loves: 'Paper Lions' })
  await turn.getByRole('button', { name: 'Vote', exact: true }).click()
  await phone.getByRole('button', { name: 'I’m Ida' }).click()
  await vote(phone, { loves: 'Paper Lions' })
  await expect(tv.getByRole('status')).toHaveText('The winner: Paper Lions')
  await expect(leas.getByRole('heading', { name: 'Paper Lions wins' })).toBeVisible()
  await shootTv(tv, 'winner')
  await shootPhone(leas, 'guest-result')

  for (const page of [tv, phone, leas]) await page.context().close()
})

async function openAll(browser: Browser, baseURL: string): Promise<[Page, Page, Page]> {
  const open = async (viewport: { width: number; height: number }) =>
    await (await browser.newContext({ baseURL, viewport, colorScheme: 'dark', isMobile: true })).newPage()
  return [await open({ width: 1280, height: 720 }), await open(PHONE), await open(PHONE)]
}

function personCalled(name: string): Person {
  return { name, email: `${name.toLowerCase()}@example.org`, password: 'Passw0rd-film' }
}

/** The scene of a television in both of its sizes and in both themes. */
async function shootTv(page: Page, scene: string): Promise<void> {
  for (const size of TELEVISIONS) {
    await page.setViewportSize(size)
    await shootThemes(page, `night-tv-${scene}`, size.width)
  }
}

async function shootPhone(page: Page, scene: string): Promise<void> {
  await shootThemes(page, `night-${scene}`, PHONE.width)
}

async function shootThemes(page: Page, name: string, width: number): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(async () => {
      await document.fonts.ready
      await Promise.allSettled([...document.images].map(async (image) => await image.decode()))
    })
    const picture = await page.screenshot({ animations: 'disabled' })
    await sharp(picture).webp({ quality: 70, effort: 6 }).toFile(`${PICTURES}${name}-${colorScheme}-${width}.webp`)
  }
}
