import { isSameUser } from './account.ts'

/** A part of a text, from the at sign to the end of the name. */
export type Mention = { start: number; end: number; username: string }

const WORD = /[\p{L}\p{N}_]/u

/**
 * Where a text mentions these users: an at sign, then the name in any letter case, both at the edge of a word. Of several
 * names that fit, the longest counts, because names may have spaces.
 */
export function mentionsIn(text: string, usernames: readonly string[]): Mention[] {
  const longestFirst = usernames.toSorted((one, other) => other.length - one.length)
  const mentions: Mention[] = []
  for (let start = text.indexOf('@'); start !== -1; start = text.indexOf('@', start + 1)) {
    if (WORD.test(text.charAt(start - 1))) continue
    const username = longestFirst.find((name) => {
      const end = start + 1 + name.length
      return isSameUser(text.slice(start + 1, end), name) && !WORD.test(text.charAt(end))
    })
    if (username !== undefined) mentions.push({ start, end: start + 1 + username.length, username })
  }
  return mentions
}

/** The name that is being typed before the caret, with its at sign at `start`, and the users whom it may mean. */
export function mentionBefore(
  text: string,
  caret: number,
  usernames: readonly string[],
): { start: number; matches: string[] } | undefined {
  const start = text.lastIndexOf('@', caret - 1)
  if (start === -1 || caret <= start || WORD.test(text.charAt(start - 1))) return undefined
  const typed = text.slice(start + 1, caret)
  const matches = usernames.filter(
    (name) => typed.length <= name.length && isSameUser(name.slice(0, typed.length), typed),
  )
  return matches.length === 0 || typed.startsWith(' ') ? undefined : { start, matches }
}
