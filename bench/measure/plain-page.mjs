import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

import { chromium } from '@playwright/test'

import { freePort } from '@marquee/platform/testing/free-port'

const START_MS = 30_000

/**
 * Opens a URL in a Chromium of its own with this profile. Playwright records every request of its pages, and each garbage
 * collection of the browser visits the records, which is most of a long task after 100,000 pictures. This page has no recorder.
 */
export async function openPlainPage(url, { profile, args }) {
  const port = await freePort()
  const browser = spawn(
    process.env.CHROMIUM_PATH ?? chromium.executablePath(),
    [
      '--headless',
      '--window-size=1280,900',
      `--user-data-dir=${profile}`,
      `--remote-debugging-port=${port}`,
      ...args,
      'about:blank',
    ],
    { stdio: 'ignore' },
  )
  const close = async () => {
    if (browser.exitCode !== null || browser.signalCode !== null) return
    const gone = once(browser, 'exit')
    browser.kill()
    await gone
  }
  try {
    const send = await connect(await addressOfPage(port))
    await send('Page.navigate', { url })
    return {
      send,
      /** Runs a function in the page. Returns its result, or that of its promise. */
      evaluate: async (run, ...given) => {
        const expression = `(${String(run)})(${given.map((value) => JSON.stringify(value)).join(', ')})`
        const options = { expression, awaitPromise: true, returnByValue: true }
        const { result, exceptionDetails } = await send('Runtime.evaluate', options)
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
        return result.value
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Returns a function that sends commands of the DevTools protocol. */
async function connect(address) {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const waiting = new Map()
  let commands = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(data)
    const { resolve, reject } = waiting.get(id) ?? {}
    waiting.delete(id)
    if (error) reject?.(new Error(error.message))
    else resolve?.(result)
  })
  return async (method, params = {}) => {
    commands += 1
    const { promise, resolve, reject } = Promise.withResolvers()
    waiting.set(commands, { resolve, reject })
    socket.send(JSON.stringify({ id: commands, method, params }))
    return await promise
  }
}

async function addressOfPage(port) {
  const deadline = performance.now() + START_MS
  while (performance.now() < deadline) {
    const targets = await fetch(`http://127.0.0.1:${port}/json/list`).then(
      async (answer) => await answer.json(),
      () => [],
    )
    const page = targets.find(({ type }) => type === 'page')
    if (page) return page.webSocketDebuggerUrl
    await pause(100)
  }
  throw new Error('Chromium did not open a page in time')
}
