import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

import { defineConfig } from 'vitest/config'

const postgres = fileURLToPath(new URL('./platform/src/testing/postgres-global-setup.ts', import.meta.url))

/** `expect.poll` waits this long for a state: a loaded machine can be many times slower than usual. */
const patient = { poll: { timeout: 30_000, interval: 20 } }

/** The compile cache of Node halves the time in which a process starts that a test runs from source. */
const COMPILED = fileURLToPath(new URL('./.cache/compiled', import.meta.url))

/** Node loads the modules itself, as it does in the server (decision 96). `vi.mock` cannot replace one. */
const native = { experimental: { viteModuleRunner: false, nodeLoader: false } }

const node = (name: string, setupFiles: readonly string[] = []) => ({
  test: {
    name,
    root: `./${name}`,
    environment: 'node' as const,
    env: { NODE_COMPILE_CACHE: COMPILED },
    include: ['src/**/*.test.ts'],
    globalSetup: [postgres],
    setupFiles: [...setupFiles],
    // What the files import is loaded once in each worker: by itself it takes longer than many files.
    isolate: false,
    ...native,
    expect: patient,
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
})

const clientSetup = fileURLToPath(new URL('./identity/src/testing/browser-name.ts', import.meta.url))
const webSetup = fileURLToPath(new URL('./web/src/testing/setup.ts', import.meta.url))

export default defineConfig({
  test: {
    // Vitest itself leaves one processor idle, which is half of a small machine. Here many tests wait for processes.
    maxWorkers: availableParallelism() + 1,
    tags: [
      { name: 'race', description: 'Requests race each other, so `eachStatement` runs the test on both databases.' },
    ],
    projects: [
      { test: { name: 'contract', root: './contract', include: ['src/**/*.test.ts'], isolate: false, ...native } },
      node('platform'),
      node('identity', [clientSetup]),
      node('server'),
      {
        test: {
          name: 'web',
          root: './web',
          environment: 'jsdom',
          include: ['src/**/*.test.{ts,tsx}'],
          setupFiles: [webSetup],
          expect: patient,
          isolate: false,
          testTimeout: 180_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'checks',
          root: './tools/checks',
          include: ['**/*.test.ts'],
          isolate: false,
          ...native,
          testTimeout: 180_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
