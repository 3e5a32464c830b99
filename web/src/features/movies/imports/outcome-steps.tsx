import type { MovieImport } from '@marquee/contract/entities/import'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'

import { CallFailureBanner, whyFailed } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { dayText } from '#web/i18n/dates.ts'
import { to } from '#web/paths.ts'
import { AskFirst } from '#web/ui/ask-first.tsx'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { Progress } from '#web/ui/progress.tsx'

import { useImportStep } from './queries.ts'
import { StepHeading } from './step-parts.tsx'

/** An import that the server is applying or undoing. The user may leave meanwhile. */
export function Running({ shown, onShow }: { shown: MovieImport; onShow: (id: string) => void }) {
  const { t } = useTranslation('watchlist')
  const cancel = useImportStep(shown, 'cancel')
  useEffect(() => onShow(shown.id), [onShow, shown.id])
  const isUndo = shown.state === 'undoing'
  const [done, all] = isUndo ? [shown.removed + shown.kept, shown.added] : [shown.added, shown.chosen]
  return (
    <div className="flex flex-col gap-5">
      <StepHeading>{t(isUndo ? 'import.running.undoing' : 'import.running.adding')}</StepHeading>
      <Progress label={t('import.running.progress', { done, all })} value={all === 0 ? undefined : done / all} />
      <p className="text-muted">{t('import.running.leave')}</p>
      <CallFailureBanner what={t('import.running.stopFailed')} error={cancel.error} />
      {!isUndo && (
        <Button tone="quiet" className="self-start" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('import.running.stop')}
        </Button>
      )}
    </div>
  )
}

type FinishedProps = {
  shown: MovieImport
  onClose: () => void
  /** What the added movies mean for the box. */
  children: ReactNode
}

/** An import that has ended: what it added, or what its undo removed. */
export function Finished({ shown, onClose, children }: FinishedProps) {
  const { t } = useTranslation('watchlist')
  const isUndone = shown.state === 'undone'
  const canUndo = !isUndone && shown.added + shown.marked > 0
  return (
    <div className="flex flex-col gap-5">
      <StepHeading>
        {isUndone ? t('import.done.removed', { count: shown.removed }) : t('import.done.added', { count: shown.added })}
      </StepHeading>
      {shown.state === 'cancelled' && <p className="text-muted">{t('import.done.stopped')}</p>}
      {!isUndone && shown.marked > 0 && <p className="text-muted">{t('import.done.marked')}</p>}
      {!isUndone && shown.added > 0 && children}
      {shown.kept > 0 && <p className="text-muted">{t('import.done.kept', { count: shown.kept })}</p>}
      <div className="flex flex-wrap gap-3">
        <Link to={to.watchlist(shown.watchlistId)} className={buttonStyle('primary')}>
          {t('import.done.open')}
        </Link>
        <Button tone="quiet" onClick={onClose}>
          {t('import.done.another')}
        </Button>
        {canUndo && <UndoButton shown={shown} />}
      </div>
      {canUndo && <p className="text-sm text-muted">{t('import.done.until', { day: dayText(shown.undoUntil) })}</p>}
    </div>
  )
}

function UndoButton({ shown }: { shown: MovieImport }) {
  const { t } = useTranslation('watchlist')
  const undo = useImportStep(shown, 'undo')
  return (
    <AskFirst
      tone="quiet"
      label={t('import.undo.button')}
      title={t('import.undo.title')}
      description={t('import.undo.description')}
      confirmLabel={t('import.undo.confirm')}
      cancelLabel={t('import.undo.cancel')}
      action={undo}
      failure={whyFailed(t('import.undo.failed'))}
      onConfirm={() => undo.mutate()}
    />
  )
}

/** Earlier imports that added something, with their undo. */
export function PastImports({ list }: { list: readonly MovieImport[] }) {
  const { t } = useTranslation('watchlist')
  if (list.length === 0) return null
  return (
    <section aria-label={t('import.past.title')} className="flex flex-col gap-2">
      <h2 className="text-xl">{t('import.past.title')}</h2>
      <ul className="flex flex-col divide-y divide-line">
        {list.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <div className="flex min-w-0 flex-1 basis-44 flex-col">
              <span className="truncate font-semibold">{one.fileName}</span>
              <span className="text-sm text-muted">
                {one.state === 'undone'
                  ? t('import.past.undone', { day: dayText(one.createdAt) })
                  : t('import.past.added', { day: dayText(one.createdAt), count: one.added })}
              </span>
            </div>
            {one.state !== 'undone' && <UndoButton shown={one} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
