import { expect, type Locator, type Page } from '@playwright/test'
import jsQR from 'jsqr'
import { generateSync } from 'otplib'

import { openScreen } from './screens.ts'

const STEP_SECONDS = 30
/** Width and height of the scanned picture, in pixels. */
const SIZE = 320
const BLACK = [0, 0, 0, 255]
const WHITE = [255, 255, 255, 255]

/** Reads a QR code on the page. */
export async function scan(image: Locator): Promise<string> {
  // One character per pixel: Playwright takes seconds to transfer an array of numbers.
  const dots = await image.evaluate(async (element, size) => {
    const picture = element as HTMLImageElement
    await picture.decode()
    const drawing = new OffscreenCanvas(size, size).getContext('2d')
    if (drawing === null) throw new Error('There is no canvas')
    drawing.drawImage(picture, 0, 0, size, size)
    const { data } = drawing.getImageData(0, 0, size, size)
    return Array.from({ length: size * size }, (_, dot) => ((data[dot * 4] ?? 0) < 128 ? '#' : ' ')).join('')
  }, SIZE)
  const pixels = Uint8ClampedArray.from(Array.from(dots, (dot) => (dot === '#' ? BLACK : WHITE)).flat())
  // The module itself is the function, but its types say otherwise.
  const readCode = jsQR as unknown as typeof jsQR.default
  const read = readCode(pixels, SIZE, SIZE)
  if (!read) throw new Error('The QR code cannot be read')
  return read.data
}

/** An authenticator app with the secret of this URI. Each code belongs to a later time step than the previous one. */
export function authenticatorOf(uri: string) {
  const { protocol, host, searchParams, pathname } = new URL(uri)
  const secret = searchParams.get('secret')
  if (protocol !== 'otpauth:' || host !== 'totp' || secret === null) throw new Error(`This is not a secret: ${uri}`)
  let usedStep = 0
  return {
    label: decodeURIComponent(pathname.slice(1)),
    secret,
    /** The service accepts each code once, and codes of the next step. */
    code: () => {
      usedStep = Math.max(usedStep + 1, Math.floor(Date.now() / 1000 / STEP_SECONDS))
      return generateSync({ secret, epoch: usedStep * STEP_SECONDS })
    },
  }
}

/** Sets up an authenticator app on the open sign-in tab. */
export async function setUpApp(page: Page) {
  await page.getByRole('button', { name: 'Set up' }).click()
  const app = authenticatorOf(await scan(page.getByRole('img', { name: 'QR code' })))
  await page.getByLabel('Verification code').fill(app.code())
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeVisible()
  return app
}

const TABS = { 'Sign-in': 'sign-in', Devices: 'devices', Tokens: 'tokens', 'Your data': 'data' } as const
type AccountTab = keyof typeof TABS

/** Opens a tab of the account page, on the server that the page shows. */
export async function openAccount(page: Page, tab: AccountTab = 'Sign-in'): Promise<void> {
  await openScreen(page, new URL(`/account/${TABS[tab]}`, page.url()).href)
  await page.getByRole('heading', { name: tab, level: 1 }).waitFor()
}

/** Opens another tab of the open account page. */
export async function openTab(page: Page, tab: AccountTab): Promise<void> {
  await page.getByRole('navigation', { name: 'Parts of your account' }).getByRole('link', { name: tab }).click()
  await page.getByRole('heading', { name: tab, level: 1 }).waitFor()
}

/** Signs out from the menu. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account of' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/auth/login')
}
