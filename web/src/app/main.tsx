import '#web/ui/theme.css'
import { StrictMode, startTransition } from 'react'
import { createRoot, type Root } from 'react-dom/client'

import { readEarly } from '#web/api/early-reads.ts'
import { features, readConfig, setFeatures, setUserPool } from '#web/config.ts'
import { loadLanguage } from '#web/i18n/load-language.ts'
import { Waiting } from '#web/session/guards.tsx'
import { session, startSession } from '#web/session/session.ts'
import { endLastScreen, isLastScreenShown } from '#web/ui/last-screen.tsx'
import type * as Offline from '#web/offline/start-offline.ts'

import { App } from './app.tsx'
import { StartFailure } from './failure-screens.tsx'
import { loadScreens } from './router.tsx'

/** The first screen is there by then. */
const QUIET_MS = 1_500
/** After this time a screen reader hears that the app loads. index.html has the circle of the placeholder. */
const SLOW_MS = 1_000

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
  // Not awaited: the code of the screens imports this module, and would wait for it.
  void showApp(root, isWithoutServer)
}

/**
 * React shows a screen that it has to wait for 300 ms after its placeholder, and renders it again and again meanwhile. So
 * the code is there first, and what a watchlist shows first. A failure is shown by the app, which loads the screens too.
 */
async function showApp(root: Root, isWithoutServer: boolean): Promise<void> {
  const reading = sendFirstReads()
  const slow = setTimeout(() => root.render(<Waiting />), SLOW_MS)
  if (isWithoutServer) await withOffline(({ missServer }) => missServer())
  await loadScreens(location.pathname).catch(() => undefined)
  // If it is known by now: a token that must be renewed may take long.
  if (await Promise.race([reading, Promise.resolve(false)])) await readFirstScreen().catch(() => undefined)
  clearTimeout(slow)
  const show = () =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    )
  // In slices while the user reads and scrolls what this device showed last. Without that there is nothing to scroll, and one
  // long task shows the screen sooner.
  if (isLastScreenShown()) startTransition(show)
  else show()
  setTimeout(() => {
    void withOffline(({ startOffline }) => startOffline(session))
    import('#web/ui/focus-keeper.ts').then(
      ({ keepFocus }) => keepFocus(),
      () => undefined,
    )
  }, QUIET_MS)
}

async function readFirstScreen(): Promise<void> {
  const { fillFirstScreen } = await import('#web/routes/layouts.ts')
  await fillFirstScreen(location.pathname, session.current())
}

/** If it cannot be loaded, the app does without. */
async function withOffline(use: (offline: typeof Offline) => void): Promise<void> {
  await import('#web/offline/start-offline.ts').then(use, () => undefined)
}

/** Whether a watchlist is being read now. If that fails, the screen reports it. */
async function sendFirstReads(): Promise<boolean> {
  const token = await session.idToken().catch(() => undefined)
  return (token !== undefined || features().guests) && readEarly(location.pathname, token)
}

await start()
