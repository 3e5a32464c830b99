import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, createContext, type ReactNode, use } from 'react'

import { readSignInAge } from '#web/account/account-security.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { useSession } from '#web/session/use-session.ts'
import { Banner, RetryBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'

/** The server allows 15 minutes. The screen is a minute stricter, so that users do not meet its refusal. */
const FRESH_MS = 14 * 60_000

/** `unknown` until the identity service has answered, `failed` if it does not. */
type Freshness = 'unknown' | 'failed' | 'fresh' | 'old'

/** Whether the user signed in recently. It expires while the screen is open. */
function useFreshSignIn(): { freshness: Freshness; retry: () => Promise<unknown> } {
  const { data, isError, refetch } = useQuery({
    queryKey: ['sign-in-age'],
    queryFn: async () => ({ endsAt: performance.now() + FRESH_MS - (await readSignInAge()) }),
    // Read each time the screen is opened.
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

const FreshnessContext = createContext<Freshness>('unknown')

/** Provides to its children whether the sign-in is recent, and asks for a new one if not. */
export function FreshSignIn({ children }: { children: ReactNode }) {
  const { t } = useTranslation('auth')
  const { signInAgain } = useSession()
  const { freshness, retry } = useFreshSignIn()
  return (
    <FreshnessContext value={freshness}>
      <div className="mb-6 empty:hidden">
        {freshness === 'failed' && <RetryBanner query={{ refetch: retry }}>{t('security.fresh.failed')}</RetryBanner>}
        {freshness === 'old' && (
          <Banner
            tone="info"
            action={
              <Button tone="primary" size="small" onClick={async () => signInAgain()}>
                {t('security.fresh.signIn')}
              </Button>
            }
          >
            {t('security.fresh.old')}
          </Banner>
        )}
      </div>
      {children}
    </FreshnessContext>
  )
}

/** Disables all fields and buttons in it unless the sign-in is recent. */
export function OnlyFresh({ className, children }: { className?: string; children: ReactNode }) {
  const isFresh = use(FreshnessContext) === 'fresh'
  return (
    <fieldset disabled={!isFresh} className={classes('min-w-0', className)}>
      {children}
    </fieldset>
  )
}
