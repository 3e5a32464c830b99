import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'

import { Avatar } from '#web/ui/avatar.tsx'

import { personProfile } from './queries.ts'

type PersonAvatarProps = {
  username: string
  /** The name whose first letter replaces the avatar, if it is not the username. */
  fallbackName?: string
  size?: ComponentProps<typeof Avatar>['size']
}

/**
 * The face of a person by their username. Until it is known, without one, and where it cannot be loaded it is their
 * first letter (spec section 2): that is also the one place where a profile that failed to load shows.
 */
export function PersonAvatar({ username, fallbackName = username, size = 'normal' }: PersonAvatarProps) {
  const { data: profile } = useQuery(personProfile(username))
  return <Avatar name={fallbackName} src={profile?.avatarUrl} size={size} />
}
