import { isSameUser } from '@marquee/contract/rules/account'

import type { User } from '../../club/people/service.ts'

/** Begins with a no-break space, which no username has, so a marked name is never the name of an account. */
const MARK = '\u00A0(restored)'

/**
 * The people in a file. Its names prove nothing, so only the name of the user who restores it becomes a user. The others get a
 * mark and an id that no account has: they have no rights, and do not look like users of this installation.
 */
export function peopleOf(user: User, watchlistId: string): (name: string) => Pick<User, 'userId' | 'username'> {
  return (name) => {
    if (isSameUser(name, user.username)) return user
    const original = unmarked(name)
    return { userId: `restored:${watchlistId}:${original}`, username: `${original}${MARK}` }
  }
}

export function unmarked(username: string): string {
  return username.endsWith(MARK) ? username.slice(0, -MARK.length) : username
}
