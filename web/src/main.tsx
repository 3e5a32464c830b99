import './ui/theme.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { App } from './app.tsx'
import { readConfig, setFeatures, setUserPool } from './config.ts'
import { StartFailure } from './failure-screens.tsx'
import { registerServiceWorker } from './service-worker.ts'
import { startSession } from './session/session.ts'

// The Content-Security-Policy forbids zod to compile schemas, and reports the attempt. Zod reads this when it loads, which is
// after the first screen.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

async function start(): Promise<void> {
  const container = document.querySelector('#root')
  if (container === null) throw new Error('index.html has no #root')
  const root = createRoot(container)

  try {
    const config = await readConfig()
    setFeatures(config.features)
    setUserPool(config.auth)
    startSession()
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
