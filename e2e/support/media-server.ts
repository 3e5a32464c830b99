import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { test as base } from './catalogue.ts'
import { expect } from './journey.ts'
import { PROGRAM_ENV, startServer } from './server.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

type MediaServer = { url: string; key: string }

type WorkerFixtures = { mediaServer: MediaServer }

/** A journey whose server finds movies at a stand-in, and may connect a stand-in for Jellyfin that has them. */
export const test = base.extend<object, WorkerFixtures>({
  mediaServer: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright asks for a destructured first parameter
    async ({}, use) => {
      const child = spawn(process.execPath, ['tools/run/media-stand-in.ts'], {
        cwd: root,
        env: PROGRAM_ENV,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const settings: Record<string, string> = {}
      for await (const line of createInterface(child.stdout)) {
        const [name = '', value = ''] = line.split('=')
        settings[name] = value
        // The last line.
        if (name === 'MEDIA_SERVER_KEY') break
      }
      await use({ url: settings['MEDIA_SERVER_URL'] ?? '', key: settings['MEDIA_SERVER_KEY'] ?? '' })
      const ended = once(child, 'exit')
      child.kill()
      expect(
        await ended,
        'the exit of the stand-in, which fails after a request that Jellyfin does not describe',
      ).toEqual([0, null])
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ arrangement, standIn }, use) => {
      const server = await startServer(arrangement, { ...standIn.settings, MEDIA_SERVERS: '127.0.0.0/8' })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
})
