import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import type { ReactNode } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'

import { Button } from './button.tsx'
import { classes } from './classes.ts'

const TONES = {
  error: { role: 'alert', style: 'border-danger', ink: 'text-danger', Icon: CircleAlert },
  success: { role: 'status', style: 'border-success', ink: 'text-success', Icon: CircleCheck },
  info: { role: 'status', style: 'border-control-edge', ink: 'text-muted', Icon: Info },
} as const

type BannerProps = {
  tone: keyof typeof TONES
  children: ReactNode
  /** A button or a link that helps. */
  action?: ReactNode
}

/** A message in a box with an icon and an action. Announced when it appears. */
export function Banner({ tone, children, action }: BannerProps) {
  const { role, style, ink, Icon } = TONES[tone]
  return (
    <div role={role} className={classes('rounded-panel border bg-surface px-4 py-3', style)}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className={classes('flex min-w-0 flex-1 basis-48 items-start gap-2.5', ink)}>
          <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
          <div className="min-w-0">{children}</div>
        </div>
        {action}
      </div>
    </div>
  )
}

/** What failed, and the reason below it. */
export function FailureText({ what, why }: { what: string; why: string | undefined }) {
  return (
    <>
      <p>{what}</p>
      {why !== undefined && why !== what && <p className="text-sm">{why}</p>}
    </>
  )
}

type RetryBannerProps = { query: { refetch: () => unknown; isFetching?: boolean }; children: ReactNode }

/** A failure with a button to try again. It is busy meanwhile if `query` says that it fetches. */
export function RetryBanner({ query: { refetch, isFetching }, children }: RetryBannerProps) {
  const { t } = useTranslation()
  const retry = (
    <Button tone="quiet" size="small" busy={isFetching} onClick={() => void refetch()}>
      {t('actions.tryAgain')}
    </Button>
  )
  return (
    <Banner tone="error" action={retry}>
      {children}
    </Banner>
  )
}

/** Replaces a lazy part whose code cannot be loaded. */
export function PartFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation()
  return <RetryBanner query={{ refetch: onRetry }}>{t('errors.network')}</RetryBanner>
}
