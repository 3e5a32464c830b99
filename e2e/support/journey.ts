import { type BrowserContext, type Page, expect, test as base } from '@playwright/test'

import { expectSignedIn, fillSignUp, type Person, sendPassword, sendSignUp } from './account-forms.ts'
import { startPosterHost } from './poster-host.ts'
import { openSignedIn } from './register.ts'
import { type Arrangement, type RunningServer, startServer } from './server.ts'
import { expectEvenShares } from './shares.ts'

export { expect, type Person }

type Fixtures = {
  /** Console errors, uncaught exceptions and blocked scripts of the page: any of them fails the journey. */
  complaints: string[]
  /** A name nobody else in this run has. */
  aPerson: (name: string) => Person
  /** Opens a browser of their own for somebody who has an account, signed in; its complaints count too. */
  openAs: (person: Person) => Promise<Page>
}

type WorkerFixtures = {
  /** How the server is set up: an option of the Playwright project. */
  arrangement: Arrangement
  server: RunningServer
}

/** A journey has the real server of its worker and a browser that reports every complaint. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  arrangement: ['embedded', { option: true, scope: 'worker' }],
  server: [
    async ({ arrangement }, use) => {
      const server = await startServer(arrangement)
      await use(server)
      try {
        await expectEvenShares(server.processes())
      } finally {
        await server.stop()
      }
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({ launchOptions }, use) => {
      const { browserArgument, stop } = await startPosterHost()
      await use({ ...launchOptions, args: [...(launchOptions.args ?? []), browserArgument] })
      stop()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => {
    await use(server.url)
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright asks for a destructured first parameter
  aPerson: async ({}, use, testInfo) => {
    await use((name) => {
      const unique = `${name} ${testInfo.testId.slice(-6)}`
      const email = `${unique.replaceAll(' ', '.').toLowerCase()}@example.org`
      return { name: unique, email, password: 'Passw0rd-film' }
    })
  },
  complaints: [
    async ({ context }, use) => {
      const complaints: string[] = []
      collectComplaints(context, complaints)
      await use(complaints)
      expect(complaints, 'complaints on the browser console').toEqual([])
    },
    { auto: true },
  ],
  openAs: async ({ browser, server, complaints }, use) => {
    const opened: BrowserContext[] = []
    await use(async (person) => {
      const context = await browser.newContext({ baseURL: server.url })
      opened.push(context)
      collectComplaints(context, complaints)
      const page = await context.newPage()
      await openSignedIn(page, server, person)
      return page
    })
    for (const context of opened) await context.close()
  },
})

function collectComplaints(context: BrowserContext, complaints: string[]): void {
  context.on('weberror', (error) => complaints.push(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) complaints.push(message.text())
  })
}

/** A refused request is part of many journeys and the browser always reports it. */
const EXPECTED = /^Failed to load resource/u

/** Fills the sign-up form and sends it: the person is asked for the code from the mail. */
export async function signUp(page: Page, person: Person): Promise<void> {
  await page.goto('/auth/signup')
  await sendSignUp(page, person)
}

/** Signs up, confirms with the code from the mail, and signs in: the person stands on their first screen. */
export async function signUpAndIn(page: Page, server: RunningServer, person: Person): Promise<void> {
  await page.goto('/auth/signup')
  await fillSignUp(page, server, person)
  await signIn(page, person)
}

/** Signs in on the login screen that is open. */
export async function signIn(page: Page, person: Person): Promise<void> {
  await sendPassword(page, person)
  await expectSignedIn(page)
}
