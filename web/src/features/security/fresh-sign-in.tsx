import { createContext, type ReactNode, use } from 'react'
import { useTranslation } from 'react-i18next'

import { useSession } from '#web/session/use-session.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

import { LoadFailure } from './load-failure.tsx'
import { type Freshness, useFreshSignIn } from './use-fresh-sign-in.ts'

const FreshnessContext = createContext<Freshness>('unknown')

/** Knows for what is in it whether the user signed in just now, and says so on top where that was a while ago. */
export function FreshSignIn({ children }: { children: ReactNode }) {
  const { t } = useTranslation('auth')
  const { signInAgain } = useSession()
  const { freshness, retry } = useFreshSignIn()
  return (
    <FreshnessContext value={freshness}>
      {freshness === 'failed' && <LoadFailure text={t('security.fresh.failed')} onRetry={retry} />}
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
      {children}
    </FreshnessContext>
  )
}

/** What can be used only by who signed in just now: all of its fields and buttons are off otherwise. */
export function OnlyFresh({ children }: { children: ReactNode }) {
  const isFresh = use(FreshnessContext) === 'fresh'
  return (
    <fieldset disabled={!isFresh} className="flex min-w-0 flex-col gap-6 empty:hidden">
      {children}
    </fieldset>
  )
}
