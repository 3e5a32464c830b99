import { NOT_FOUND_REDIRECT_MS } from '@marquee/contract/limits'
import { useEffect } from 'react'

import { type ApiErrorKind, isApiError } from '#web/api/api-error.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { BehindLastScreen } from '#web/ui/last-screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The shape of a watchlist before it arrives. */
export function WatchlistLoading() {
  const { t } = useTranslation('watchlist')
  return (
    <div className="mx-auto grid w-full max-w-[68.75rem] gap-4 px-4 py-4 sm:px-6 sm:py-6 lg:grid-cols-[300px_minmax(0,760px)] lg:gap-6">
      <BehindLastScreen />
      <h1 className="sr-only">{t('detail.title')}</h1>
      <Skeleton className="h-28 lg:h-96" />
      <div className="flex flex-col gap-6">
        <Skeleton className="h-48" />
        <output className="text-muted">{t('detail.loading')}</output>
        <Skeleton className="h-80" />
      </div>
    </div>
  )
}

/** Says that the watchlist is not there, and leaves after 3 seconds. */
export function WatchlistNotFound({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation('watchlist')
  useEffect(() => {
    const timer = setTimeout(onLeave, NOT_FOUND_REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [onLeave])
  return <Banner tone="error">{t('detail.notFound')}</Banner>
}

type WatchlistFailure =
  | 'FETCH_ERROR'
  | 'CREATE_ERROR'
  | 'UPDATE_ERROR'
  | 'IMAGE_UPLOAD_ERROR'
  | 'IMAGE_DELETE_ERROR'
  | 'NOT_FOUND'
  | 'UNAUTHORIZED'

export type WatchlistAction = 'load' | 'create' | 'update' | 'uploadImage' | 'deleteImage'

/** The kind of a refused or invalid request, by action. */
const OWN_KINDS: Record<WatchlistAction, { kind: WatchlistFailure; of: readonly ApiErrorKind[] }> = {
  load: { kind: 'FETCH_ERROR', of: ['VALIDATION_ERROR'] },
  create: { kind: 'CREATE_ERROR', of: ['BAD_REQUEST'] },
  update: { kind: 'UPDATE_ERROR', of: ['BAD_REQUEST', 'UNAUTHORIZED'] },
  uploadImage: { kind: 'IMAGE_UPLOAD_ERROR', of: ['BAD_REQUEST', 'VALIDATION_ERROR'] },
  deleteImage: { kind: 'IMAGE_DELETE_ERROR', of: ['BAD_REQUEST', 'VALIDATION_ERROR'] },
}

/** The kind of a failure, which decides its text. See docs/product/errors.md. */
export function watchlistFailure(action: WatchlistAction, error: unknown): WatchlistFailure {
  const { kind, of } = OWN_KINDS[action]
  if (isApiError(error, ...of)) return kind
  if (isApiError(error, 'NOT_FOUND')) return 'NOT_FOUND'
  return isApiError(error, 'UNAUTHORIZED') ? 'UNAUTHORIZED' : 'FETCH_ERROR'
}
