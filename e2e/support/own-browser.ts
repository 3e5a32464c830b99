import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { chromium, expect, type Page } from '@playwright/test'

/** A browser with a profile of its own on the disk, which can be killed and started again. */
export type OwnBrowser = {
  /** Starts it, and opens a page. */
  start: () => Promise<Page>
  /** Kills all its processes, as a phone does that needs the memory. */
  kill: () => Promise<void>
  /** Waits until a text of a local storage is on the disk. The browser writes it some seconds later. */
  untilOnDisk: (text: string) => Promise<void>
  /** Kills it, and removes the profile. */
  remove: () => Promise<void>
}

const PROGRAM = process.env['CHROMIUM_HEADLESS_PATH'] ?? process.env['CHROMIUM_PATH'] ?? chromium.executablePath()

export async function anOwnBrowser(): Promise<OwnBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'marquee-profile-'))
  let end = async () => {}

  const kill = async () => {
    await end()
    end = async () => {}
  }

  return {
    start: async () => {
      const flags = ['--headless', '--no-sandbox', '--no-first-run', '--remote-debugging-port=0']
      // A group of its own, since a browser is many processes.
      const child = spawn(PROGRAM, [...flags, `--user-data-dir=${profile}`], {
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      end = async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const gone = once(child, 'exit')
        process.kill(-(child.pid ?? 0), 'SIGKILL')
        await gone
      }
      const browser = await chromium.connectOverCDP(await addressFrom(child.stderr))
      const [context] = browser.contexts()
      if (context === undefined) throw new Error('The browser has no profile')
      return await context.newPage()
    },
    kill,
    untilOnDisk: async (text) => {
      await expect.poll(async () => await localStoragesIn(profile)).toContain(text)
    },
    remove: async () => {
      await kill()
      // The last of its processes may end a moment later.
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The address for commands to the browser, which prints it at its start. */
async function addressFrom(output: NodeJS.ReadableStream): Promise<string> {
  let printed = ''
  for await (const chunk of output) {
    printed += String(chunk)
    const [, address] = /DevTools listening on (ws:\S+)/u.exec(printed) ?? []
    if (address !== undefined) return address
  }
  throw new Error(`The browser did not start:\n${printed}`)
}

async function localStoragesIn(profile: string): Promise<string> {
  const files = await readdir(profile, { recursive: true })
  const logs = files.filter((file) => file.includes('Local Storage') && file.endsWith('.log'))
  return (await Promise.all(logs.map(async (file) => await readFile(join(profile, file), 'latin1')))).join('\n')
}
