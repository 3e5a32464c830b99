import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { readSignInAge } from '#web/session/account-security.ts'

/** The server asks for a quarter of an hour; a screen that shuts a little earlier lets nobody run into its refusal. */
const FRESH_MS = 14 * 60_000

/** `unknown` until the identity service has told; `failed` when it could not be asked. */
export type Freshness = 'unknown' | 'failed' | 'fresh' | 'old'

/** Whether the user signed in just now. It ends by itself while the screen is open. */
export function useFreshSignIn(): { freshness: Freshness; retry: () => Promise<unknown> } {
  const { data, isError, refetch } = useQuery({
    queryKey: ['sign-in-age'],
    queryFn: async () => ({ endsAt: performance.now() + FRESH_MS - (await readSignInAge()) }),
    // Asked once for each time the screen is opened.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnMount: 'always',
  })
  const endsAt = data?.endsAt
  const [endedAt, setEndedAt] = useState<number>()
  useEffect(() => {
    if (endsAt === undefined) return undefined
    const timer = setTimeout(() => setEndedAt(endsAt), Math.max(0, endsAt - performance.now()))
    return () => clearTimeout(timer)
  }, [endsAt])

  const retry = async () => refetch()
  if (endsAt === undefined) return { freshness: isError ? 'failed' : 'unknown', retry }
  return { freshness: endedAt === endsAt ? 'old' : 'fresh', retry }
}
