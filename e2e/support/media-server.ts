import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { test as base } from './catalogue.ts'
import { expect } from './journey.ts'
import { PROGRAM_ENV, startServer } from './server.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

type MediaServer = { url: string; key: string }

type Started = { mediaServer: MediaServer; seerr: MediaServer & { deliver: () => void } }
type WorkerFixtures = Started & { standIns: Started }

/** A journey whose server finds movies at a stand-in, and may connect stand-ins for Jellyfin, which has them, and Seerr. */
export const test = base.extend<object, WorkerFixtures>({
  standIns: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright asks for a destructured first parameter
    async ({}, use) => {
      const child = spawn(process.execPath, ['tools/run/media-stand-in.ts'], {
        cwd: root,
        env: PROGRAM_ENV,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const settings: Record<string, string> = {}
      for await (const line of createInterface(child.stdout)) {
        const [, name = '', value = ''] = /^(\w+)=(.*)$/u.exec(line) ?? []
        settings[name] = value
        // The last line.
        if (name === 'MEDIA_SERVER_KEY') break
      }
      const at = (name: string) => ({ url: settings[`${name}_URL`] ?? '', key: settings[`${name}_KEY`] ?? '' })
      await use({
        mediaServer: at('MEDIA_SERVER'),
        seerr: { ...at('SEERR'), deliver: () => void child.kill('SIGUSR2') },
      })
      const ended = once(child, 'exit')
      child.kill()
      expect(await ended, 'the exit of the stand-in, which fails after a request that is not as described').toEqual([
        0,
        null,
      ])
    },
    { scope: 'worker' },
  ],
  mediaServer: [
    async ({ standIns }, use) => {
      await use(standIns.mediaServer)
    },
    { scope: 'worker' },
  ],
  /** `deliver` has all movies arrive that it was asked for. */
  seerr: [
    async ({ standIns }, use) => {
      await use(standIns.seerr)
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
