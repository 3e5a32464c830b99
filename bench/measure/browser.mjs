import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

import { chromium } from '@playwright/test'

const ADDRESS = /DevTools listening on (\S+)/u
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--remote-debugging-port=0',
]

/**
 * Starts Chromium with this folder as its profile, without Playwright and without a debugger. Playwright and Lighthouse debug each
 * page, so V8 looks up where in the code each error was made. React makes five when it loads, which costs a slow phone 0.07 to
 * 0.09 s that no user waits. Playwright also records every request of its pages, and each garbage collection of the browser visits
 * the records, which is most of a long task after 100,000 pictures.
 */
export async function openBrowser(profile, args = []) {
  const program = process.env.CHROMIUM_PATH ?? chromium.executablePath()
  const child = spawn(program, [...FLAGS, `--user-data-dir=${profile}`, ...args, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill()
    await gone
  }
  try {
    const send = await connect(await addressOf(child))
    return { firstPage: async () => await findPage(send), newProfile: async () => await addProfile(send), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A new profile, which has nothing of an earlier one. */
async function addProfile(send) {
  const { browserContextId } = await send('Target.createBrowserContext')
  return {
    newPage: async () => {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank', browserContextId })
      return await attach(send, targetId)
    },
    remove: async () => await send('Target.disposeBrowserContext', { browserContextId }),
  }
}

/** The page that Chromium opens when it starts. */
async function findPage(send) {
  for (;;) {
    const { targetInfos } = await send('Target.getTargets')
    const page = targetInfos.find(({ type }) => type === 'page')
    if (page) return await attach(send, page.targetId)
    await pause(100)
  }
}

async function attach(sendToBrowser, targetId) {
  const { sessionId } = await sendToBrowser('Target.attachToTarget', { targetId, flatten: true })
  const send = async (method, params) => await sendToBrowser(method, params, sessionId)
  return {
    send,
    goto: async (url) => await send('Page.navigate', { url }),
    /** Runs a function in the page. Returns its result, or that of its promise. */
    evaluate: async (run, ...given) => {
      const expression = `(${String(run)})(${given.map((value) => JSON.stringify(value)).join(', ')})`
      const options = { expression, awaitPromise: true, returnByValue: true }
      const { result, exceptionDetails } = await send('Runtime.evaluate', options)
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
      return result.value
    },
    close: async () => await sendToBrowser('Target.closeTarget', { targetId }),
  }
}

async function addressOf(child) {
  let printed = ''
  for await (const chunk of child.stderr.setEncoding('utf8')) {
    printed += chunk
    const address = ADDRESS.exec(printed)?.[1]
    if (address !== undefined) return address
  }
  throw new Error(`Chromium did not start:\n${printed}`)
}

/** Returns a function that sends commands of the DevTools protocol: https://chromedevtools.github.io/devtools-protocol */
async function connect(address) {
  const socket = new WebSocket(address)
  const waiting = new Map()
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(data)
    const call = waiting.get(id)
    if (!call) return
    waiting.delete(id)
    if (error) call.reject(new Error(`${call.method}: ${error.message}`))
    else call.resolve(result)
  })
  await once(socket, 'open')
  let last = 0
  return async (method, params = {}, sessionId) => {
    const { promise, resolve, reject } = Promise.withResolvers()
    last += 1
    waiting.set(last, { method, resolve, reject })
    socket.send(JSON.stringify({ id: last, method, params, sessionId }))
    return await promise
  }
}
