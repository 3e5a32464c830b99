import { type BrowserContext, type Page, expect, test as base } from '@playwright/test'

import { expectSignedIn, fillSignUp, type Person, sendPassword, sendSignUp } from './forms.ts'
import { startPosterHost } from './poster-host.ts'
import { signInWithoutForm } from './register.ts'
import { type Arrangement, type RunningProcess, type RunningServer, startServer } from './server.ts'

export { expect, type Person }

/** For journeys in which cards move as users see it. */
export const IN_MOTION = { contextOptions: { reducedMotion: 'no-preference' } } as const

type Fixtures = {
  /** Console errors, uncaught exceptions and blocked scripts. Any of them fails the journey. */
  browserErrors: string[]
  /** A user whose name and e-mail are unique in this run. The account does not exist yet. */
  aPerson: (name: string) => Person
  /** Opens another browser in which this user is signed in. Creates no account and opens no screen. */
  openAs: (person: Person) => Promise<Page>
  /** Starts another server with these settings. It stops after the test. */
  startWith: (settings: Readonly<Record<string, string>>) => Promise<RunningServer>
}

type WorkerFixtures = {
  /** The server's set-up, an option of the Playwright project. */
  arrangement: Arrangement
  /** Whether the journey needs what only a browser with windows has: push messages, or the full screen. */
  needsWindows: boolean
  server: RunningServer
}

const path = process.env['CHROMIUM_PATH']
const WITH_WINDOWS = path === undefined ? { channel: 'chromium' } : { executablePath: path }

/** A journey has the real server of its worker, and fails on errors in the browser. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  arrangement: ['embedded', { option: true, scope: 'worker' }],
  needsWindows: [false, { option: true, scope: 'worker' }],
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
    async ({ launchOptions, needsWindows }, use) => {
      const { browserArgument, stop } = await startPosterHost()
      const browser = needsWindows ? WITH_WINDOWS : {}
      await use({ ...launchOptions, ...browser, args: [...(launchOptions.args ?? []), browserArgument] })
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
  browserErrors: [
    async ({ context }, use) => {
      const browserErrors: string[] = []
      collectErrors(context, browserErrors)
      await use(browserErrors)
      expect(browserErrors, 'errors in the browser').toEqual([])
    },
    { auto: true },
  ],
  openAs: async ({ browser, server, browserErrors }, use) => {
    const opened: BrowserContext[] = []
    await use(async (person) => {
      const context = await browser.newContext({ baseURL: server.url })
      opened.push(context)
      collectErrors(context, browserErrors)
      const page = await context.newPage()
      await signInWithoutForm(page, server, person)
      return page
    })
    for (const context of opened) await context.close()
  },
  startWith: async ({ arrangement, browser }, use) => {
    const started: RunningServer[] = []
    await use(async (settings) => {
      const server = await startServer(arrangement, settings)
      started.push(server)
      return server
    })
    // What a page still loads when its server stops is no error of the page.
    for (const context of started.length > 0 ? browser.contexts() : []) {
      for (const page of context.pages()) await page.close()
    }
    for (const server of started) await server.stop()
  },
})

const REQUESTS = /^http_request_duration_seconds_count\{.*\} (?<count>\d+)$/gmu
/** The least share of each of two processes. A few requests are lost in the counting. */
const LEAST_SHARE = 0.4
const A_FEW = 5

/** If there are two processes, each has answered its share of the requests. */
async function expectEvenShares(processes: readonly RunningProcess[]): Promise<void> {
  const counts = await Promise.all(processes.map(requestsAt))
  const all = counts.reduce((sum, count) => sum + count, 0)
  for (const count of counts) {
    expect(count, `requests of one process, of ${counts.join(' and ')}`).toBeGreaterThan(LEAST_SHARE * all - A_FEW)
  }
}

async function requestsAt({ metricsUrl }: RunningProcess): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text()
  return [...metrics.matchAll(REQUESTS)].reduce((sum, { groups }) => sum + Number(groups?.['count']), 0)
}

function collectErrors(context: BrowserContext, browserErrors: string[]): void {
  context.on('weberror', (error) => browserErrors.push(error.error().message))
  context.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) browserErrors.push(message.text())
  })
}

/** The browser reports each failed request, and many journeys expect one. */
const EXPECTED = /^Failed to load resource/u

/** Submits the sign-up form. The next screen asks for the code from the mail. */
export async function signUp(page: Page, person: Person): Promise<void> {
  await page.goto('/auth/signup')
  await sendSignUp(page, person)
}

/** Signs up, confirms the account with the code from the mail, and signs in. */
export async function signUpAndIn(page: Page, server: RunningServer, person: Person): Promise<void> {
  await page.goto('/auth/signup')
  await fillSignUp(page, server, person)
  await signIn(page, person)
}

/** Signs in on the open login screen. */
export async function signIn(page: Page, person: Person): Promise<void> {
  await sendPassword(page, person)
  await expectSignedIn(page)
}
