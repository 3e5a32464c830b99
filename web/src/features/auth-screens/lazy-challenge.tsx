import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const Loading = () => <Skeleton className="h-60" />

function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <Banner
      tone="error"
      action={
        <Button tone="quiet" size="small" onClick={onRetry}>
          {t('actions.tryAgain')}
        </Button>
      }
    >
      {t('errors.network')}
    </Banner>
  )
}

/** The challenges of a sign-in. They load when needed, because most users see none. */
export const SignInChallenge = lazyPart({
  load: async () => (await import('./sign-in-challenge.tsx')).SignInChallenge,
  Loading,
  Failed,
})
