import { useCallback, useRef } from 'react'

import { isApiError, mayBeDone } from './api-error.ts'

const BYTES = 16

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A new Idempotency-Key of 128 random bits. Without HTTPS there is no `crypto.randomUUID`. */
export function newIdempotencyKey(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(BYTES)))
}

/** Sends `what` with the Idempotency-Key it is given. */
type Attempt = <T>(what: string, send: (idempotencyKey: string) => Promise<T>) => Promise<T>

/**
 * Keeps the Idempotency-Key of a creation until the server answers. A retry after a cancellation or a failure that does
 * not say whether it was done uses the same key, so it creates once.
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
      if (isApiError(error) && error.status !== undefined && !mayBeDone(error)) settle()
      throw error
    }
  }, [])
}
