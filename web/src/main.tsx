import './ui/theme.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { App } from './app.tsx'
import { readConfig } from './config.ts'
import { setUpTexts } from './i18n/set-up.ts'
import { startSession } from './session/session.ts'
import { StartFailure } from './start-failure.tsx'
import { applyTheme, storedTheme } from './ui/theme.ts'

async function start(): Promise<void> {
  const container = document.querySelector('#root')
  if (container === null) throw new Error('index.html has no #root')
  const root = createRoot(container)

  applyTheme(storedTheme())
  await setUpTexts()
  try {
    const { auth } = await readConfig()
    startSession(auth)
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

await start()
