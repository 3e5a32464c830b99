import '#web/ui/theme.css'
import { StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'

import { readEarly } from '#web/api/early-reads.ts'
import { features, readConfig, setFeatures, setUserPool } from '#web/config.ts'
import { loadLanguage } from '#web/i18n/load-language.ts'
import { Waiting } from '#web/session/guards.tsx'
import { session, startSession } from '#web/session/session.ts'
import { endLastScreen } from '#web/ui/last-screen.tsx'
import type * as Offline from '#web/offline/start-offline.ts'

import { App } from './app.tsx'
import { StartFailure } from './failure-screens.tsx'
import { loadScreens } from './router.tsx'

// The Content-Security-Policy forbids zod to compile schemas, and reports the attempt. Zod reads this when it loads, which is
// after the first screen.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

/** The first screen is there by then. */
const QUIET_MS = 1_500

async function start(): Promise<void> {
  const container = document.querySelector('#root')
  if (container === null) throw new Error('index.html has no #root')
  const root = createRoot(container)

  let isWithoutServer
  const texts = loadLanguage().catch(() => undefined)
  try {
    const config = await readConfig()
    setFeatures(config.features)
    setUserPool(config.auth)
    isWithoutServer = config.isKept
    startSession(isWithoutServer)
    await texts
  } catch {
    await texts
    endLastScreen()
    root.render(<StartFailure />)
    return
  }
  void sendFirstReads()
  root.render(<Waiting />)
  // Not awaited: the code of the screens imports this module, and would wait for it.
  void showApp(root, isWithoutServer)
}

/**
 * React shows a screen that it has to wait for 300 ms after its placeholder, and renders it again and again meanwhile. So
 * the code is there first. A failure is shown by the app, which loads the screens too.
 */
async function showApp(root: Root, isWithoutServer: boolean): Promise<void> {
  if (isWithoutServer) await withOffline(({ missServer }) => missServer())
  await loadScreens(location.pathname).catch(() => undefined)
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
  setTimeout(() => void withOffline(({ startOffline }) => startOffline(session)), QUIET_MS)
}

/** If it cannot be loaded, the app does without. */
async function withOffline(use: (offline: typeof Offline) => void): Promise<void> {
  await import('#web/offline/start-offline.ts').then(use, () => undefined)
}

/** If this fails, the screen reports it. */
async function sendFirstReads(): Promise<void> {
  const token = await session.idToken().catch(() => undefined)
  if (token !== undefined || features().guests) readEarly(location.pathname, token)
}

await start()
