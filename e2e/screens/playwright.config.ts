import { defineConfig } from '@playwright/test'

import journeys from '../playwright.config.ts'

/**
 * Takes a picture of every screen, and the film of a movie night, in a real browser against the real server. Both devices are
 * mobile, so that scroll bars take no space.
 */
export default defineConfig({
  ...journeys,
  testDir: '.',
  testMatch: '**/*.shots.ts',
  reporter: 'list',
  outputDir: '../../.cache/screens',
  use: { ...journeys.use, trace: 'off', isMobile: true, contextOptions: { reducedMotion: 'reduce' } },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1280, height: 800 } } },
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, hasTouch: true } },
    { name: 'film', testMatch: '**/*.film.ts' },
  ],
})
