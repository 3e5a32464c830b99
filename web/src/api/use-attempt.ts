import { useCallback, useRef } from 'react'

import { isApiError } from './api-error.ts'
import { newIdempotencyKey } from './idempotency-key.ts'

/** Sends `what` with the Idempotency-Key it is given. */
export type Attempt = <T>(what: string, send: (idempotencyKey: string) => Promise<T>) => Promise<T>

/**
 * Keeps the Idempotency-Key of something that creates while it is not known whether it arrived: trying the same again
 * after the network failed, or after giving up, then creates it once. Any answer of the server settles it.
 */
export function useAttempt(): Attempt {
  const open = useRef<{ what: string; key: string }>(undefined)
  return useCallback<Attempt>(async (what, send) => {
    if (open.current?.what !== what) open.current = { what, key: newIdempotencyKey() }
    const { key } = open.current
    const settle = () => {
      if (open.current?.key === key) open.current = undefined
    }
    try {
      const reply = await send(key)
      settle()
      return reply
    } catch (error) {
      if (isApiError(error) && error.status !== undefined) settle()
      throw error
    }
  }, [])
}
