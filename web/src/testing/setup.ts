import { cleanup, configure } from '@testing-library/react'
import { afterAll, vi } from 'vitest'

// What a screen shows after a call may take its time on a busy machine; a test that fails for good still ends.
configure({ asyncUtilTimeout: 10_000 })

// The files of a worker share one window: each leaves it as it found it.
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
