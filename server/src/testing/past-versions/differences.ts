/** What today answers otherwise than a past version on purpose. */
type Change = { readonly where: RegExp; readonly reason: string }

const CHANGES: readonly Change[] = [
  {
    where: /\/draw-odds as \w+\.body\.people$/u,
    reason:
      'The odds name all members alike, so that they do not tell who has cards in the box (docs/security/box.md).',
  },
  {
    where: /^\/account\/tokens as \w+\.body\.tokens\[\d+\]\.usedAt$/u,
    reason: 'An earlier comparison used the token.',
  },
  {
    where: /^\/notifications\/unread as \w+\.body\.unread$/u,
    reason:
      'The number counts cards, not each notification of one, and no invitations: the app shows those by themselves.',
  },
]

/**
 * Where a reply of today lacks what a reply of a past version had, or says something else. New fields are no difference:
 * docs/versions.md promises that fields stay, not that none is added.
 */
export function differencesOf(past: unknown, now: unknown, where: string): string[] {
  if (CHANGES.some((change) => change.where.test(where))) return []
  if (Array.isArray(past) && Array.isArray(now) && past.length === now.length) {
    return past.flatMap((one, n) => differencesOf(one, now[n], `${where}[${n}]`))
  }
  if (isRecord(past) && isRecord(now)) {
    return Object.entries(past).flatMap(([key, value]) => differencesOf(value, now[key], `${where}.${key}`))
  }
  return Object.is(past, now) ? [] : [`${where}: ${JSON.stringify(past)} is now ${JSON.stringify(now)}`]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
