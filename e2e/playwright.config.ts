import { defineConfig } from '@playwright/test'

/** Journeys: a real browser against the real server, which each worker starts for itself. */
export default defineConfig({
  testDir: './journeys',
  testMatch: '**/*.e2e.ts',
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
    trace: 'retain-on-failure',
    launchOptions: {
      ...(process.env['CHROMIUM_PATH'] !== undefined && { executablePath: process.env['CHROMIUM_PATH'] }),
      args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
})
