import { defineConfig } from '@playwright/test'

import { TRIES_ALL, WEEKLY } from './support/variations.ts'

/** The journeys that need two processes. */
const ACROSS = /two-processes\.e2e\.ts/u
/** With `npm test -- --all`, one more for each way in which two processes work together. */
const ALL_ACROSS =
  /(?:live|main-job|media-servers|movie-night|two-processes|watchlist-image)\.e2e\.ts|survive the end of the session/u
/** Titles of such files that are about the screen alone, and the same with any number of processes. */
const OF_THE_SCREEN = /reduced motion is on|further down the feed|nothing moves|leaves room for the name on a phone/u
const ONLY_WITH_TWO = '**/two-processes.e2e.ts'
/** Journeys that mostly wait: until the app tries again, or notices that the server or the network is gone. */
const WAITING = /(?:offline|outbox|drafts-and-offline|service-worker|session)\.e2e\.ts$/u
/**
 * Journeys whose worker has another server, with stand-ins for services, or another browser. They come before the many that
 * share a worker, of which short ones are left for the end.
 */
const OWN_WORKER = /(?:add-by-search|big-screen|media-.+|movie-requests|push|where-to-watch)\.e2e\.ts$/u

/** One more than the processors of a small machine: while a journey waits for a page, others run. */
const BUSY = 3

const embedded = {
  name: 'embedded',
  use: { arrangement: 'embedded' as const },
  testIgnore: [ONLY_WITH_TWO, WAITING, OWN_WORKER],
  workers: BUSY,
}
const ownWorker = { ...embedded, name: 'own-worker', testIgnore: [], testMatch: OWN_WORKER }
/** Has a worker of its own, because side by side these journeys would leave the processors idle. */
const waiting = { name: 'waiting', use: { arrangement: 'embedded' as const }, testMatch: WAITING, workers: 1 }
// More processes share the machine, so each journey is slower. Each worker starts its own set-up, so few have one.
const IS_SCALED = process.env['MARQUEE_ARRANGEMENT'] === 'scaled'
const scaled = {
  name: 'scaled',
  use: { arrangement: 'scaled' as const },
  timeout: 240_000,
  workers: TRIES_ALL || IS_SCALED ? BUSY : 1,
}

/** Playwright's own list of disabled features. A second list replaces the first, so this one repeats it. */
const OFF_FOR_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]
/** Processes that Chromium starts for each page, for its address bar and the next page. */
const OFF_FOR_SPEED = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess']

const browser = process.env['CHROMIUM_HEADLESS_PATH'] ?? process.env['CHROMIUM_PATH']

/**
 * Journeys run a real browser against the real server. Each worker starts its own. All journeys run against one embedded
 * process, some also against the scaled set-up. MARQUEE_ARRANGEMENT=scaled runs all of them against that.
 */
export default defineConfig<object, { arrangement: 'embedded' | 'scaled' }>({
  testDir: './journeys',
  testMatch: '**/*.e2e.ts',
  // The longest journeys first, so that no worker is left alone with one at the end.
  projects: IS_SCALED
    ? [scaled]
    : [{ ...scaled, grep: TRIES_ALL ? ALL_ACROSS : ACROSS, grepInvert: OF_THE_SCREEN }, waiting, ownWorker, embedded],
  // All journeys run against the scaled set-up once a week, too.
  ...(!TRIES_ALL && !IS_SCALED && { grepInvert: new RegExp(WEEKLY.tag, 'u') }),
  fullyParallel: true,
  workers: BUSY + 1,
  forbidOnly: true,
  // Limits for a machine that is many times slower than usual. A journey that passes waits for none of them.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json']],
  outputDir: '../.cache/journeys',
  use: {
    viewport: { width: 1280, height: 900 },
    // Animations take a sixteenth of the processor time. Journeys about what moves turn them on.
    contextOptions: { reducedMotion: TRIES_ALL ? 'no-preference' : 'reduce' },
    // Journeys cannot intercept what a service worker answers. Journeys about it turn it on.
    serviceWorkers: 'block',
    actionTimeout: 20_000,
    // A trace takes as much processor time as its journey. `--trace on` records one.
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(browser !== undefined && { executablePath: browser }),
      args: ['--no-sandbox', `--disable-features=${[...OFF_FOR_PLAYWRIGHT, ...OFF_FOR_SPEED].join(',')}`],
    },
  },
})
