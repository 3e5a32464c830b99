import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { test as base } from './catalogue.ts'
import { expect } from './journey.ts'
import { PROGRAM_ENV, startServer } from './server.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

type Place = { url: string; key: string }

type MediaServer = Place & {
  /** A user of the server enters a code of Quick Connect. */
  enter: (code: string, user: string) => Promise<void>
  /** A user plays a film to its end, which the server reports to this address. */
  play: (user: string, film: string, address: string) => Promise<void>
  /** The films that the server was asked to mark for its users, in order. */
  marks: () => Promise<readonly string[]>
}

/** `deliver` has all movies arrive that it was asked for. */
type Seerr = Place & { deliver: () => Promise<void> }

type OtherServer = Place & Pick<MediaServer, 'marks'>

type Started = { mediaServer: MediaServer; emby: OtherServer; plex: OtherServer; seerr: Seerr }
type WorkerFixtures = Started & { standIns: Started }

/** A journey whose server finds movies at a stand-in, and may connect stand-ins for Jellyfin, Emby and Plex, which have them, and Seerr. */
export const test = base.extend<object, WorkerFixtures>({
  standIns: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright asks for a destructured first parameter
    async ({}, use) => {
      const child = spawn(process.execPath, ['tools/run/media-stand-in.ts'], {
        cwd: root,
        env: PROGRAM_ENV,
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
      const nextLine = async () => {
        const { value, done } = await lines.next()
        if (done === true) throw new Error('The stand-in has ended')
        return value
      }
      const settings = new Map<string, string>()
      // The last line.
      while (!settings.has('MEDIA_SERVER_KEY')) {
        const [, name = '', value = ''] = /^(\w+)=(.*)$/u.exec(await nextLine()) ?? []
        settings.set(name, value)
      }
      const at = (name: string) => ({ url: settings.get(`${name}_URL`) ?? '', key: settings.get(`${name}_KEY`) ?? '' })
      const tell = async (...words: string[]): Promise<unknown> => {
        child.stdin.write(`${words.join(' ')}\n`)
        return JSON.parse(await nextLine())
      }
      await use({
        mediaServer: {
          ...at('MEDIA_SERVER'),
          enter: async (code, user) => void (await tell('enter', code, user)),
          play: async (user, film, address) => {
            expect(await tell('play', user, address, film)).toBe('The report was answered 204')
          },
          marks: async () => (await tell('marks')) as string[],
        },
        emby: { ...at('EMBY'), marks: async () => (await tell('marks', 'emby')) as string[] },
        plex: { ...at('PLEX'), marks: async () => (await tell('marks', 'plex')) as string[] },
        seerr: { ...at('SEERR'), deliver: async () => void (await tell('deliver')) },
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
  emby: [
    async ({ standIns }, use) => {
      await use(standIns.emby)
    },
    { scope: 'worker' },
  ],
  plex: [
    async ({ standIns }, use) => {
      await use(standIns.plex)
    },
    { scope: 'worker' },
  ],
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
