import { defineConfig } from 'vitest/config'

const node = (name: string) => ({
  test: {
    name,
    root: `./${name}`,
    environment: 'node' as const,
    include: ['src/**/*.test.ts'],
    globalSetup: ['../platform/src/testing/postgres-global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'contract', root: './contract', include: ['src/**/*.test.ts'] } },
      node('platform'),
      node('identity'),
      node('server'),
      { test: { name: 'web', root: './web', environment: 'jsdom', include: ['src/**/*.test.{ts,tsx}'] } },
      { test: { name: 'checks', root: './tools/checks', include: ['**/*.test.ts'] } },
    ],
  },
})
