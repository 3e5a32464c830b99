import { ENDPOINTS } from '@marquee/contract/endpoints'

const KEPT = 12
const PEOPLE = new Set(['by', 'authorId', 'creatorId', 'ownerId', 'createdBy', 'username', 'invitedBy'])

/** The parameter that follows each part of a path: `cards` is followed by `cardId`. */
const PARAMETERS = new Map(
  Object.values(ENDPOINTS).flatMap(({ path }) =>
    [...path.matchAll(/\/([\w-]+)\/:(\w+)/gu)].map(([, part = '', parameter = '']) => [part, parameter] as const),
  ),
)

/** What one role has learnt from replies, by the name of the parameter or field that it fits. */
export type Knowledge = {
  readonly of: (name: string) => readonly string[]
  readonly learn: (path: string, reply: unknown) => void
}

export function createKnowledge(known: Readonly<Record<string, readonly string[]>>): Knowledge {
  const values = new Map(Object.entries(known).map(([name, own]) => [name, [...own]]))

  function add(name: string, value: string): void {
    const own = values.get(name) ?? []
    if (!own.includes(value)) values.set(name, [...own, value].slice(-KEPT))
  }

  function walk(part: string, value: unknown): void {
    if (Array.isArray(value)) for (const item of value) walk(part, item)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    for (const [key, inside] of Object.entries(value)) {
      if (typeof inside === 'object') walk(key, inside)
      else if (key === 'id') add(PARAMETERS.get(part) ?? part, String(inside))
      else add(PEOPLE.has(key) ? 'username' : key, String(inside))
    }
  }

  return {
    of: (name) => values.get(name) ?? [],
    learn: (path, reply) => {
      const parts = path.split('/').filter((part) => !part.startsWith(':') && PARAMETERS.has(part))
      walk(parts.at(-1) ?? '', reply)
    },
  }
}
