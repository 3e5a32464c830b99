import { use, useEffect, useMemo } from 'react'

import { SessionContext, useSession } from './use-session.ts'

const PREFIX = 'marquee.draft.'

/** A text that this tab keeps for its user, such as one that is not sent yet. It survives a reload and an expired session. */
export type Draft = {
  read: () => string | undefined
  /** An empty text clears the draft. */
  save: (text: string) => void
  clear: () => void
}

export const NO_DRAFT: Draft = { read: () => undefined, save: () => {}, clear: () => {} }

/** Storage may be blocked or full. Drafts then live as long as the page. */
function quietly<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

function draftOf(key: string): Draft {
  const clear = () => quietly(() => sessionStorage.removeItem(key))
  return {
    read: () => quietly(() => sessionStorage.getItem(key)) ?? undefined,
    save: (text) => (text === '' ? clear() : quietly(() => sessionStorage.setItem(key, text))),
    clear,
  }
}

/** The draft for a place, such as `comment.{cardId}`, of the signed-in user, or of a guest with this id. */
export function useDraft(place: string, guestId?: string): Draft {
  const current = useSession()
  const ownerId = guestId ?? (current.state === 'signed-in' ? current.user.userId : undefined)
  return useMemo(() => (ownerId === undefined ? NO_DRAFT : draftOf(`${PREFIX}${ownerId}.${place}`)), [ownerId, place])
}

/** Clears the drafts of this tab when its user signs out, here or in another tab. */
export function useDraftsUntilSignOut(): void {
  const { current, subscribe } = use(SessionContext)
  useEffect(
    () =>
      subscribe(() => {
        const session = current()
        if (session.state === 'signed-out' && session.because === 'left') forgetDrafts()
      }),
    [current, subscribe],
  )
}

/** Clears the drafts of this tab. */
export function forgetDrafts(): void {
  quietly(() => {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX))
    for (const key of keys) sessionStorage.removeItem(key)
  })
}
