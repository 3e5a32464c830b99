import { defineConfig } from '@playwright/test'

/** The journeys that matter most where there is more than one process, by their files and titles. */
const ACROSS =
  /(?:change-password|invitations|live|main-job|session|two-processes|watchlist-image)\.e2e\.ts|a session that ends/u
const ONLY_WITH_TWO = '**/two-processes.e2e.ts'

const embedded = { name: 'embedded', use: { arrangement: 'embedded' as const }, testIgnore: ONLY_WITH_TWO }
// More processes on the same machine, so each journey has more time.
const scaled = { name: 'scaled', use: { arrangement: 'scaled' as const }, timeout: 120_000 }

/** What Playwright turns off itself (chromiumSwitches.ts): a second list replaces the first, so it is repeated here. */
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
/** Processes that a desktop Chromium starts beside each page, for its address bar and the page after this one. */
const OFF_FOR_SPEED = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess']

/**
 * Journeys: a real browser against the real server, which each worker starts for itself. All of them against one
 * embedded process and some against the large set-up; with MARQUEE_ARRANGEMENT=scaled all of them against that.
 */
export default defineConfig<object, { arrangement: 'embedded' | 'scaled' }>({
  testDir: './journeys',
  testMatch: '**/*.e2e.ts',
  projects: process.env['MARQUEE_ARRANGEMENT'] === 'scaled' ? [scaled] : [embedded, { ...scaled, grep: ACROSS }],
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json']],
  outputDir: '../.cache/journeys',
  use: {
    viewport: { width: 1280, height: 900 },
    // What a service worker answers no journey could hold back or refuse; the journey about it lets it in.
    serviceWorkers: 'block',
    actionTimeout: 10_000,
    // A trace of every journey takes as much processor time as the journey; `--trace on` records one.
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(process.env['CHROMIUM_PATH'] !== undefined && { executablePath: process.env['CHROMIUM_PATH'] }),
      args: ['--no-sandbox', `--disable-features=${[...OFF_FOR_PLAYWRIGHT, ...OFF_FOR_SPEED].join(',')}`],
    },
  },
})
