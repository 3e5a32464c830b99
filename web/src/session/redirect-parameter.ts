import { useSearchParams } from 'react-router'

/** The decoded `redirect` query parameter, as the account screens hand it on; not yet judged (session/redirect-target). */
export function useRedirectParameter(): string | undefined {
  const [search] = useSearchParams()
  return search.get('redirect') ?? undefined
}
