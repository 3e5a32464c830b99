/** What another tool may learn of a person. None of them lets it change anything. */
export const SCOPES = ['openid', 'email', 'phone', 'profile'] as const
export type Scope = (typeof SCOPES)[number]

/** The scopes asked for, each once; undefined when one of them does not exist. Without any it is `openid`. */
export function readScopes(text: string | undefined): Scope[] | undefined {
  const named = [...new Set((text ?? 'openid').split(' ').filter((name) => name !== ''))]
  return named.length > 0 && named.every(isScope) ? named : undefined
}

function isScope(name: string): name is Scope {
  return (SCOPES as readonly string[]).includes(name)
}
