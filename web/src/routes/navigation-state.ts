import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

/**
 * What one account screen tells the next through navigation state (spec section 2). The browser keeps such state over
 * reloads and other versions of the app, so it is read with care.
 */
export type Notice = { message: string; messageType: 'success' | 'error' | 'info' }
type PersonState = { email: string; name?: string }

function field(state: unknown, key: string): string | undefined {
  if (typeof state !== 'object' || state === null) return undefined
  const value = (state as Record<string, unknown>)[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The banner of the screen, if one was passed in. */
export function noticeOf(state: unknown): Notice | undefined {
  const message = field(state, 'message')
  if (message === undefined) return undefined
  const type = field(state, 'messageType')
  return { message, messageType: type === 'error' || type === 'info' ? type : 'success' }
}

/** Whose account the screen is about: without an e-mail nobody's. */
export function personState(state: unknown): PersonState | undefined {
  const email = field(state, 'email')
  const name = field(state, 'name')
  if (email === undefined) return undefined
  return { email, ...(name === undefined ? {} : { name }) }
}

/** The username and the code of a mailed link. They follow the #, which is sent to no server. */
function codeLink(hash: string): { username: string; code: string } | undefined {
  const parts = new URLSearchParams(hash.replace(/^#/u, ''))
  const [username, code] = [parts.get('username'), parts.get('code')]
  return username && code ? { username, code } : undefined
}

/** The username and code of a mailed link. They are taken out of the address, so that they stay in no history. */
export function useCodeLink(): { username: string; code: string } | undefined {
  const navigate = useNavigate()
  const { state, hash, search } = useLocation() as { state: unknown; hash: string; search: string }
  const arriving = codeLink(hash)
  const [link, setLink] = useState(arriving)
  if (arriving !== undefined && (arriving.username !== link?.username || arriving.code !== link.code)) setLink(arriving)
  useEffect(() => {
    if (hash !== '') void navigate({ search }, { replace: true, state })
  }, [hash, navigate, search, state])
  return link
}
