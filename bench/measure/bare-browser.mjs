import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ADDRESS = /DevTools listening on (\S+)/u
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--remote-debugging-port=0',
]

/**
 * Starts Chromium without a debugger. Playwright and Lighthouse debug each page, so V8 looks up where in the code each error was made.
 * React makes five when it loads, which costs a slow phone 0.07 to 0.09 s that no user waits.
 */
export async function openBareBrowser(program) {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-browser-'))
  const child = spawn(program, [...FLAGS, `--user-data-dir=${folder}`], { stdio: ['ignore', 'ignore', 'pipe'] })
  const { send, close } = await connect(await addressOf(child))

  /** A new profile, which has nothing of an earlier one. */
  async function newProfile() {
    const { browserContextId } = await send('Target.createBrowserContext')
    const newPage = async () => {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank', browserContextId })
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
      return pageOf(
        (method, params) => send(method, params, sessionId),
        async () => await send('Target.closeTarget', { targetId }),
      )
    }
    return { newPage, remove: async () => await send('Target.disposeBrowserContext', { browserContextId }) }
  }

  return {
    newProfile,
    close: async () => {
      const gone = once(child, 'exit')
      void send('Browser.close')
      await gone
      close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function pageOf(send, close) {
  return {
    send,
    close,
    goto: async (url) => await send('Page.navigate', { url }),
    /** The value of an expression, or of its promise. */
    evaluate: async (expression) => {
      const { result } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
      return result.value
    },
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

/** A connection that speaks the DevTools protocol: https://chromedevtools.github.io/devtools-protocol */
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
  const send = async (method, params = {}, sessionId) => {
    const { promise, resolve, reject } = Promise.withResolvers()
    last += 1
    waiting.set(last, { method, resolve, reject })
    socket.send(JSON.stringify({ id: last, method, params, sessionId }))
    return await promise
  }
  return { send, close: () => socket.close() }
}
