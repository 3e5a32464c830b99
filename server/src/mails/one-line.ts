/**
 * Control characters, line and paragraph separators, and what changes the direction of the text around it. Joiners stay:
 * some scripts and emoji need them.
 */
const BREAKING = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu

/** A text that others chose, as one line that cannot end early or turn round what follows it. */
export function oneLine(text: string): string {
  return text.replaceAll(BREAKING, ' ').trim()
}
