import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { test as base } from './journey.ts'
import { PROGRAM_ENV, startServer } from './server.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

type Catalogue = {
  /** How the services fail from now on: see server/src/testing/catalogue/stand-in.ts. Undefined ends it. */
  fail: (trouble: 'down' | 'slow' | 'limited' | 'nonsense' | 'html' | undefined) => Promise<void>
}

type WorkerFixtures = { standIn: { settings: Record<string, string> } & Catalogue }

/** A journey whose server finds movies at stand-ins for Wikidata and Wikipedia, and where they can be watched at one for TMDB. */
export const test = base.extend<{ catalogue: Catalogue }, WorkerFixtures>({
  standIn: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright asks for a destructured first parameter
    async ({}, use) => {
      const child = spawn(process.execPath, ['tools/run/catalogue-stand-in.ts'], {
        cwd: root,
        env: PROGRAM_ENV,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const settings: Record<string, string> = { CATALOGUE: 'wikidata', WATCH_PROVIDERS: 'tmdb' }
      for await (const line of createInterface(child.stdout)) {
        const [name = '', ...value] = line.split('=')
        settings[name] = value.join('=')
        // The last line.
        if (name === 'TMDB_TOKEN') break
      }
      const { origin } = new URL(settings['WIKIDATA_URL'] ?? '')
      await use({
        settings,
        fail: async (trouble) => {
          await fetch(`${origin}/trouble?is=${trouble ?? ''}`)
        },
      })
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ arrangement, standIn }, use) => {
      const server = await startServer(arrangement, standIn.settings)
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  catalogue: async ({ standIn }, use) => {
    await use(standIn)
    await standIn.fail(undefined)
  },
})
