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
 * The avatar of a user. Until it is loaded, without one, and if the profile cannot be loaded, it is the first letter of
 * the name.
 */
export function PersonAvatar({ username, fallbackName = username, size = 'normal' }: PersonAvatarProps) {
  const { data: profile } = useQuery(personProfile(username))
  return <Avatar name={fallbackName} src={profile?.avatarUrl} size={size} />
}
