import type { Profile } from '@marquee/contract/entities/profile'

/** A user in replies. `avatarUrl` is a path on this server, whose origin is `publicUrl`. */
export function presentProfile(
  person: { username: string; avatarUrl: string | null; currentWatchlistId: string | null },
  publicUrl: string,
): Profile {
  const { username, avatarUrl, currentWatchlistId } = person
  return {
    username,
    hasAvatar: avatarUrl !== null,
    avatarUrl,
    fullAvatarUrl: avatarUrl === null ? null : `${publicUrl}${avatarUrl}`,
    currentWatchlistId,
  }
}
