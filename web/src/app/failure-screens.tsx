import { Component, type ReactNode } from 'react'
import { type Location, useLocation } from 'react-router'

import { useTranslation } from '#web/i18n/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

/** The page if the configuration cannot be read. */
export function StartFailure() {
  const { t } = useTranslation()
  return (
    <FailurePage action={t('actions.tryAgain')}>
      <p>{t('errors.start')}</p>
      <p>{t('errors.network')}</p>
    </FailurePage>
  )
}

/** The page if a screen cannot be shown. A reload loads the current version. */
function RouteFailure() {
  const { t } = useTranslation()
  return <FailurePage action={t('actions.reload')}>{t('errors.screen')}</FailurePage>
}

function FailurePage({ action, children }: { action: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-4 p-4">
      <Banner tone="error">{children}</Banner>
      <Button tone="primary" onClick={() => location.reload()}>
        {action}
      </Button>
    </main>
  )
}

type BoundaryProps = { at: Location; children: ReactNode }
type BoundaryState = { at: Location; hasFailed: boolean }

/** React has no hook for this. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override readonly state: BoundaryState = { at: this.props.at, hasFailed: false }

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ at }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return at === state.at ? null : { at, hasFailed: false }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <RouteFailure /> : this.props.children
  }
}

/**
 * Shows a failure in place of a screen that cannot be loaded (a new version was installed, or there is no network) or
 * fails to render. The next navigation tries again.
 */
export function FailureBoundary({ children }: { children: ReactNode }) {
  return <Boundary at={useLocation()}>{children}</Boundary>
}
