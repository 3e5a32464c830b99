/**
 * Control characters, line and paragraph separators, and characters that change the direction of text. Joiners stay:
 * some scripts and emoji need them.
 */
const BREAKING = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu

/** A text of a user as one line, which cannot end early or change the direction of the text after it. */
export function oneLine(text: string): string {
  return text.replaceAll(BREAKING, ' ').trim()
}
