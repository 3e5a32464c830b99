import type { ReactNode } from 'react'

import { PersonAvatar } from './person-avatar.tsx'

/** Of more people, only the first are shown. */
export const MOST_FACES = 5

type FacesProps = {
  usernames: readonly string[]
  /** Behind the faces, such as how many people there are besides. */
  children?: ReactNode
}

/** Small avatars without names. They overlap so little that no letter is cut. */
export function Faces({ usernames, children }: FacesProps) {
  return (
    <span aria-hidden className="flex shrink-0 -space-x-1 *:rounded-full *:ring-2 *:ring-surface">
      {usernames.slice(0, MOST_FACES).map((username) => (
        <span key={username} className="inline-flex">
          <PersonAvatar username={username} size="small" />
        </span>
      ))}
      {children}
    </span>
  )
}
