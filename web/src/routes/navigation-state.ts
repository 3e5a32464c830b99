import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { to } from '#web/paths.ts'
import { redirectTarget } from '#web/session/redirect-target.ts'

/**
 * What one account screen passes to the next through navigation state. The browser keeps it across reloads and versions
 * of the app, so it is validated.
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

/** The account of the screen, undefined without an e-mail. */
export function personState(state: unknown): PersonState | undefined {
  const email = field(state, 'email')
  const name = field(state, 'name')
  if (email === undefined) return undefined
  return { email, ...(name === undefined ? {} : { name }) }
}

/**
 * The state for the login screen after an account was created or confirmed. With `signsIn`, the user is signed in with
 * what they typed for the account, and the message is shown only if that fails.
 */
export function newAccount(email: string, message: string, signsIn: boolean) {
  return { email, message, messageType: 'success', ...(signsIn && { signsIn: 'yes' }) }
}

/** Whether the user came for a certain page, like that of an invitation. */
export function isArriving(redirect: string | undefined): boolean {
  const target = redirectTarget(redirect)
  return target !== to.home() && target !== to.watchlists()
}

/** Whether the account of the screen signs in by itself. */
export function signsInByItself(state: unknown): boolean {
  return field(state, 'signsIn') !== undefined
}

/** Whether a user who was signed in has to prove again who they are. */
export function signsInAgain(state: unknown): boolean {
  return field(state, 'again') !== undefined
}

type CodeLink = {
  username: string
  code: string
  /** Where the user goes after signing in. It is not validated yet. */
  redirect: string | undefined
}

/** The content of a mailed link. It is in the fragment, which browsers do not send. */
function codeLink(hash: string): CodeLink | undefined {
  const parts = new URLSearchParams(hash.replace(/^#/u, ''))
  const [username, code] = [parts.get('username'), parts.get('code')]
  return username && code ? { username, code, redirect: parts.get('redirect') ?? undefined } : undefined
}

/** The content of a mailed link. It is removed from the URL, so that it is not in the history. */
export function useCodeLink(): CodeLink | undefined {
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
