import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import { CallFailure } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Unread } from '#web/ui/unread.tsx'

import { FileStep } from './file-step.tsx'
import { Finished, PastImports, Running } from './outcome-steps.tsx'
import { imports, isRunning } from './queries.ts'
import { ReviewStep } from './review-step.tsx'

type ImportStepsProps = {
  watchlistId: string
  /** What so many added movies mean for the box. */
  renderAdded: (added: number) => ReactNode
}

/** The steps of an import: choose a file, review its rows, wait, and see what became of it. */
export function ImportSteps({ watchlistId, renderAdded }: ImportStepsProps) {
  const { t } = useTranslation('watchlist')
  const query = useQuery(imports(watchlistId))
  const { data: list, error } = query
  // What just ended stays on the screen until the user goes on.
  const [shownId, setShownId] = useState<string>()
  const [isBack, setBack] = useState(false)
  const goBack = () => {
    setBack(true)
    setShownId(undefined)
  }

  if (list === undefined) {
    return (
      <Unread
        query={query}
        loading={<Skeleton className="h-48" />}
        failed={<CallFailure what={t('import.loadFailed')} error={error} />}
      />
    )
  }

  const open = list.find((one) => one.state === 'review' || isRunning(one))
  const shown = open ?? list.find(({ id }) => id === shownId)
  if (shown === undefined) {
    return (
      <div className="flex flex-col gap-8">
        <FileStep watchlistId={watchlistId} takesFocus={isBack} />
        <PastImports list={list.filter(({ added, marked }) => added + marked > 0)} />
      </div>
    )
  }
  if (shown.state === 'review') return <ReviewStep key={shown.id} shown={shown} onCancel={goBack} />
  if (isRunning(shown)) return <Running key={shown.id} shown={shown} onShow={setShownId} />
  return (
    <Finished key={shown.id} shown={shown} onClose={goBack}>
      {renderAdded(shown.added)}
    </Finished>
  )
}
