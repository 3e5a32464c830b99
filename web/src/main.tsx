import './ui/theme.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { config as configureZod } from 'zod/v4/core'

import { App } from './app.tsx'
import { readConfig, setFeatures } from './config.ts'
import { setUpTexts } from './i18n/set-up.ts'
import { registerServiceWorker } from './service-worker.ts'
import { startSession } from './session/session.ts'
import { StartFailure } from './failure-screens.tsx'

// The page's Content-Security-Policy allows no compiling of text, and so not even the attempt to.
configureZod({ jitless: true })

async function start(): Promise<void> {
  const container = document.querySelector('#root')
  if (container === null) throw new Error('index.html has no #root')
  const root = createRoot(container)

  await setUpTexts()
  try {
    const config = await readConfig()
    setFeatures(config.features)
    startSession(config.auth)
  } catch {
    root.render(<StartFailure />)
    return
  }
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

registerServiceWorker()
await start()
