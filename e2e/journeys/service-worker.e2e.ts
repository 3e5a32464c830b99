import type { Page } from '@playwright/test'

import { type Front, startFront } from '../support/front.ts'
import { expect, test as base } from '../support/journey.ts'

const test = base.extend<{ front: Front }>({
  front: async ({ server }, use) => {
    const front = await startFront(server.url)
    await use(front)
    await front.close().catch(() => {})
  },
})

test.use({ serviceWorkers: 'allow' })

/** Opens the login screen with the service worker active, so that all requests go through it. */
async function openUnderWorker(page: Page, { url }: Front): Promise<void> {
  await page.goto(`${url}/auth/login`)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await page.reload()
  await expect.poll(async () => await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
}

async function buildOf(page: Page): Promise<string | undefined> {
  return await page.evaluate(() => document.documentElement.dataset['build'])
}

test('a reload always shows the newest build', async ({ page, front }) => {
  await openUnderWorker(page, front)
  expect(await buildOf(page)).toBeUndefined()

  for (const build of ['2', '3']) {
    const script = `/assets/build-${build}.js`
    front.deploy((html) => html.replace('</head>', `<script type="module" src="${script}"></script></head>`), {
      [script]: `document.documentElement.dataset.build = '${build}'`,
    })
    await page.reload()
    await expect.poll(async () => await buildOf(page)).toBe(build)
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  }
})

test('the offline page appears without a connection, and the app returns with the connection', async ({
  page,
  front,
}) => {
  await openUnderWorker(page, front)

  await front.close()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/auth/login')

  await expect(page.getByRole('link', { name: 'Try again' })).toBeVisible()
  // The page itself looks whether the server answers.
  await front.open()
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
})

test('the app can be installed, with a name, a start URL and existing icons in its manifest', async ({
  page,
  server,
}) => {
  await page.goto('/auth/login')
  const link = await page.locator('link[rel=manifest]').getAttribute('href')
  const answer = await fetch(new URL(link ?? '', server.url))
  expect(answer.headers.get('content-type')).toContain('application/manifest+json')
  const manifest = (await answer.json()) as Record<string, unknown> & { icons: { src: string; sizes: string }[] }
  expect(manifest).toMatchObject({ name: 'Marquee', start_url: '/', display: 'standalone' })
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']))
  for (const { src } of manifest.icons) {
    const icon = await fetch(new URL(src, server.url))
    expect(icon.status, src).toBe(200)
    expect(icon.headers.get('content-type'), src).toMatch(/^image\//u)
  }
})
