import type { Answered } from './world.ts'

/** Headers that say nothing of the content. */
const BESIDE = new Set(['date', 'x-request-id'])

/**
 * Names the random hashes of a world in the order in which they appear. Chance is the same in both worlds until they use it for
 * a different number of cards; then their hashes differ, and only which are equal can tell something.
 */
export function namesOfHashes(): (text: string) => string {
  const names = new Map<string, string>()
  return (text) =>
    text.replaceAll(/\b[\da-f]{32,64}\b/gu, (hash) => {
      const name = names.get(hash) ?? `hash ${names.size + 1}`
      names.set(hash, name)
      return name
    })
}

/** What a caller can see of a reply. */
export function seenIn({ status, headers, body }: Answered, withNames: (text: string) => string): string {
  const shown = Object.entries(headers).filter(([name]) => !BESIDE.has(name))
  return withNames(JSON.stringify({ status, headers: Object.fromEntries(shown), body }))
}

/** The place where two texts part, with what is around it. */
export function whereTheyPart(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  const around = (text: string) => text.slice(Math.max(0, at - 80), at + 160)
  return `\n    one:   …${around(one)}\n    other: …${around(other)}`
}
