/**
 * Control characters, line and paragraph separators, and characters that change the direction of text. Joiners stay:
 * some scripts and emoji need them.
 */
const BREAKING = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu

/** Limits the two names in the subject, so that a sender cannot write a message in it. */
const LONGEST_IN_SUBJECT = 30

/**
 * Shortens a name for a subject, or another text, to at most so many characters. None is cut in half, which strict readers
 * refuse.
 */
export function shorten(text: string, longest = LONGEST_IN_SUBJECT): string {
  const characters = Array.from(text)
  if (characters.length <= longest) return text
  return `${characters
    .slice(0, longest - 1)
    .join('')
    .trimEnd()}…`
}

/** A text of a user as one line, which cannot end early or change the direction of the text after it. */
export function oneLine(text: string): string {
  return text.replaceAll(BREAKING, ' ').trim()
}
