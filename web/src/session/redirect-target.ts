import { useSearchParams } from 'react-router'

import { to } from '#web/paths.ts'

const HOME = to.home()
/** Browsers read backslashes as slashes and drop control characters. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const FORBIDDEN = /[\u0000-\u001F\u007F\\]/u

/**
 * Where to go after signing in: the decoded `redirect` parameter if it is a path of this app, otherwise the home page.
 * A value that a browser could read as another origin is refused: `//host`, a scheme, a backslash.
 */
export function redirectTarget(redirect: string | null | undefined): string {
  if (redirect === null || redirect === undefined) return HOME
  if (!redirect.startsWith('/') || redirect.startsWith('//') || FORBIDDEN.test(redirect)) return HOME
  const base = 'https://marquee.invalid'
  if (!URL.canParse(redirect, base)) return HOME
  const url = new URL(redirect, base)
  if (url.origin !== base || url.pathname.startsWith('//')) return HOME
  return `${url.pathname}${url.search}${url.hash}`
}

/** The decoded `redirect` query parameter, not validated. */
export function useRedirectParameter(): string | undefined {
  const [search] = useSearchParams()
  return search.get('redirect') ?? undefined
}
