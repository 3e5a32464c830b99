import '#web/i18n/account-texts.ts'
import '#web/i18n/auth-screens-texts.ts'
import '#web/i18n/club-texts.ts'
import '#web/i18n/external-texts.ts'
import '#web/i18n/security-texts.ts'
import '#web/i18n/signed-in-texts.ts'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, vi } from 'vitest'
import { WITHIN } from './within.ts'

// A screen may need time after a call on a busy machine.
configure({ asyncUtilTimeout: WITHIN.timeout })

// The files of a worker share one window, so each file cleans up.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  // Some files need no window.
  if (!('document' in globalThis)) return
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
})
