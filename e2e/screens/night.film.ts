import { expect, type Page } from '@playwright/test'
import sharp, { type OverlayOptions } from 'sharp'

import { type Person, signIn } from '../support/journey.ts'
import { answerAll } from '../support/night.ts'
import { shareWatchlist } from '../support/watchlist.ts'
import { test } from './film-club.ts'
import { PICTURES } from './shoot.ts'

/** In pixels: the television at the left, the phone at the right. */
const STAGE = { width: 1100, height: 560, background: '#2a2431' }
const TV = { left: 20, top: 55, width: 800, height: 450 }
const PHONE = { left: 840, top: 20, width: 240, height: 520 }
const TV_SCREEN = { width: 1280, height: 720 }
const PHONE_SCREEN = { width: 390, height: 844 }
const FILMS = ['Seven Lighthouses', 'Orbit, Slowly', 'Paper Lions']

test('a movie night is filmed, on a television and a phone', async ({ browser, server, club }) => {
  const [zoe, noah] = [personCalled('Zoe'), personCalled('Noah')]
  const { id, asOwner } = await shareWatchlist(server, [zoe, noah])
  for (const title of FILMS) await asOwner.card(id, { title, image: club.posterOf(title) })
  const open = async (viewport: { width: number; height: number }) =>
    await (await browser.newContext({ baseURL: server.url, viewport, colorScheme: 'dark', isMobile: true })).newPage()
  const [phone, other, leas, tv] = [
    await open(PHONE_SCREEN),
    await open(PHONE_SCREEN),
    await open(PHONE_SCREEN),
    await open(TV_SCREEN),
  ]
  for (const [page, person] of [
    [phone, zoe],
    [other, noah],
  ] as const) {
    await page.goto('/auth/login')
    await signIn(page, person)
    await page.goto(`/watchlists/${id}/night`)
  }
  const frames: { picture: Buffer; ms: number }[] = []
  const take = async (ms: number): Promise<void> => {
    frames.push({ picture: await pictureOf(tv, phone), ms })
  }

  await tv.goto('/tv')
  await expect(tv.getByRole('status')).toHaveText(/^[A-Z2-9]{6}$/u)
  await phone.getByRole('button', { name: 'Start now' }).click()
  await expect(phone.getByText('1 person is here')).toBeVisible()
  await take(1500)
  await phone.getByRole('button', { name: 'Options' }).click()
  await phone.getByRole('button', { name: 'Show on a TV' }).click()
  await phone.getByLabel('Code on the TV').fill(await tv.getByRole('status').innerText())
  await take(1200)
  await phone.getByRole('button', { name: 'Connect' }).click()
  await expect(tv.getByRole('heading', { name: 'Friday film club' })).toBeVisible()
  await phone.getByRole('button', { name: 'Invite guests' }).click()
  const code = phone.getByRole('status').filter({ hasText: /^[A-Z2-9]{6}$/u })
  await leas.goto(`/join-night/${await code.innerText()}`)
  await take(1500)
  await other.getByRole('button', { name: 'I’m here' }).click()
  await expect(tv.getByText(noah.name)).toBeVisible()
  await take(1000)
  await leas.getByLabel('Your name').fill('Lea')
  await leas.keyboard.press('Enter')
  await expect(tv.getByText('Lea')).toBeVisible()
  await take(1500)
  await phone.getByRole('button', { name: 'Choose a movie' }).click()
  await phone.getByRole('button', { name: 'Draw a shortlist' }).click()
  await expect(tv.getByRole('status')).toHaveText('0 of 3 voted')
  await phone.getByRole('heading', { name: 'Vote on the shortlist' }).scrollIntoViewIfNeeded()
  await take(2000)
  for (const [place, page] of [leas, other, phone].entries()) {
    if (page === phone) await take(1000)
    await answerAll(page, { loves: 'Paper Lions' })
    if (page === phone) await take(1000)
    await page.getByRole('button', { name: 'Vote', exact: true }).click()
    if (page === phone) break
    await expect(tv.getByRole('status')).toHaveText(`${place + 1} of 3 voted`)
    await take(900)
  }
  await expect(tv.getByRole('status')).toHaveText('The winner: Paper Lions')
  await expect(phone.getByRole('heading', { name: 'Paper Lions wins' })).toBeVisible()
  await take(4000)

  await sharp(
    frames.map(({ picture }) => picture),
    { join: { animated: true } },
  )
    .webp({ quality: 60, effort: 6, loop: 0, delay: frames.map(({ ms }) => ms) })
    .toFile(`${PICTURES}movie-night.webp`)
  for (const page of [phone, other, leas, tv]) await page.context().close()
})

function personCalled(name: string): Person {
  return { name, email: `${name.toLowerCase()}@example.org`, password: 'Passw0rd-film' }
}

/** Both screens in one picture. */
async function pictureOf(tv: Page, phone: Page): Promise<Buffer> {
  const layer = async (page: Page, { left, top, width, height }: typeof TV): Promise<OverlayOptions> => {
    const picture = await page.screenshot({ animations: 'disabled' })
    return { input: await sharp(picture).resize(width, height).toBuffer(), left, top }
  }
  return await sharp({ create: { ...STAGE, channels: 3 } })
    .composite([await layer(tv, TV), await layer(phone, PHONE)])
    .png()
    .toBuffer()
}
