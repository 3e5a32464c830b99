import { IMPORT_GROUPS, type ImportGroup, type ImportRow, type MovieImport } from '@marquee/contract/entities/import'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { numberText } from '#web/i18n/numbers.ts'
import { serverMessage } from '#web/i18n/server-message.ts'
import { CallFailure, CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { RetryBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox, useClicked } from '#web/ui/checkbox.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { importRows, useChooseRows, useImportStep } from './queries.ts'
import { StepHeading } from './step-parts.tsx'

/** What the file holds, group by group. The user chooses what to add. */
export function ReviewStep({ shown, onCancel }: { shown: MovieImport; onCancel: () => void }) {
  const { t } = useTranslation('watchlist')
  const groups = IMPORT_GROUPS.filter((group) => shown.groups[group].rows > 0)
  const [group, setGroup] = useState<ImportGroup>(groups[0] ?? 'new')
  const choose = useChooseRows(shown)
  const total = groups.reduce((sum, name) => sum + shown.groups[name].rows, 0)
  return (
    <div className="flex flex-col gap-5">
      <StepHeading>{t('import.review.title', { count: total, file: shown.fileName })}</StepHeading>
      <Problems shown={shown} />
      {shown.seen > 0 && <p className="text-muted">{t('import.review.marks', { count: shown.seen })}</p>}
      {groups.length > 1 && (
        <Segmented
          legend={t('import.review.groups')}
          name="group"
          value={group}
          options={groups.map((value) => ({
            value,
            label: t(`import.review.${value}`, { count: shown.groups[value].rows }),
          }))}
          onChange={setGroup}
        />
      )}
      <Rows
        key={group}
        shown={shown}
        group={group}
        onChoose={(rows, isChosen) => choose.mutate({ ...(rows === undefined ? { group } : { rows }), isChosen })}
      />
      <Actions shown={shown} choose={choose} onCancel={onCancel} />
    </div>
  )
}

type ActionsProps = {
  shown: MovieImport
  choose: Pick<ReturnType<typeof useChooseRows>, 'error' | 'isPending'>
  onCancel: () => void
}

/** Adds the chosen movies, or cancels. They stay in sight. */
function Actions({ shown, choose, onCancel }: ActionsProps) {
  const { t } = useTranslation('watchlist')
  const apply = useImportStep(shown, 'apply')
  const cancel = useImportStep(shown, 'cancel')
  const failure = choose.error ?? apply.error ?? cancel.error
  return (
    <div className="sticky bottom-0 -mx-4 flex flex-col gap-3 border-t border-line bg-canvas px-4 py-3 sm:-mx-6 sm:px-6">
      <CallFailureBanner what={t('import.review.failed')} error={failure} />
      <div className="flex flex-wrap gap-3">
        <Button
          tone="primary"
          busy={apply.isPending}
          disabled={(shown.chosen === 0 && shown.seen === 0) || choose.isPending || cancel.isPending}
          onClick={() => apply.mutate()}
        >
          {shown.chosen === 0 && shown.seen > 0
            ? t('import.review.saveMarks')
            : t('import.review.add', { count: shown.chosen })}
        </Button>
        <Button
          tone="quiet"
          busy={cancel.isPending}
          disabled={apply.isPending}
          onClick={() => {
            onCancel()
            cancel.mutate()
          }}
        >
          {t('import.review.cancel')}
        </Button>
      </div>
    </div>
  )
}

function Problems({ shown: { problems, problemCount } }: { shown: MovieImport }) {
  const { t } = useTranslation('watchlist')
  if (problemCount === 0) return null
  return (
    <details className="rounded-panel border border-control-edge bg-surface px-4 py-3">
      <summary className="font-semibold">{t('import.review.problems', { count: problemCount })}</summary>
      <ul className="mt-2 flex flex-col gap-1 text-sm text-muted">
        {problems.map(({ file, row, problem: message }) => {
          const problem = serverMessage(message, message)
          return (
            <li key={`${file} ${row}`} className="wrap-anywhere">
              {file === null
                ? t('import.review.problem', { row, problem })
                : t('import.review.problemIn', { file, row, problem })}
            </li>
          )
        })}
        {problemCount > problems.length && (
          <li>{t('import.review.moreProblems', { count: problemCount - problems.length })}</li>
        )}
      </ul>
    </details>
  )
}

type RowsProps = {
  shown: MovieImport
  group: ImportGroup
  /** Without rows, all of the group. */
  onChoose: (rows: number[] | undefined, isChosen: boolean) => void
}

function Rows({ shown, group, onChoose }: RowsProps) {
  const { t } = useTranslation('watchlist')
  const query = useInfiniteQuery(importRows(shown, group))
  const { data, error, isFetching, hasNextPage, fetchNextPage } = query
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  const { rows: count, chosen } = shown.groups[group]
  return (
    <Panel aria-label={t(`import.review.${group}`, { count })} className="flex flex-col gap-4">
      <p className="text-sm text-muted">{t(`import.review.${group}Hint`)}</p>
      <div className="flex flex-wrap items-center gap-2">
        <Button tone="quiet" size="small" disabled={chosen === count} onClick={() => onChoose(undefined, true)}>
          {t('import.review.all')}
        </Button>
        <Button tone="quiet" size="small" disabled={chosen === 0} onClick={() => onChoose(undefined, false)}>
          {t('import.review.none')}
        </Button>
        <span className="text-sm text-muted tabular-nums">
          {t('import.review.chosen', { count: chosen, all: count })}
        </span>
      </div>
      {data === undefined && error === null && <Skeleton className="h-32" />}
      <ul className="flex flex-col divide-y divide-line empty:hidden">
        {rows.map((row) => (
          <Row key={row.id} row={row} onChoose={(isChosen) => onChoose([row.id], isChosen)} />
        ))}
      </ul>
      {error !== null && (
        <RetryBanner query={query}>
          <CallFailure what={t('import.loadFailed')} error={error} />
        </RetryBanner>
      )}
      {hasNextPage && error === null && (
        <ShowMore className="self-start" busy={isFetching} onMore={fetchNextPage}>
          {t('import.review.more')}
        </ShowMore>
      )}
    </Panel>
  )
}

function Row({ row, onChoose }: { row: ImportRow; onChoose: (isChosen: boolean) => void }) {
  const { t } = useTranslation('watchlist')
  const [isChosen, setChosen] = useClicked(row.isChosen)
  const movie = ({ title, year }: Pick<ImportRow, 'title' | 'year'>) =>
    year === null ? title : t('import.review.movie', { title, year })
  const hints = [
    row.card && t(`import.review.card.${row.card.status}`, { movie: movie(row.card) }),
    row.sameAs && t('import.review.sameAs', row.sameAs),
    row.isSeen &&
      (row.stars === null ? t('import.review.seen') : t('import.review.rated', { stars: numberText(row.stars) })),
  ].filter((hint) => typeof hint === 'string')
  return (
    <li className="py-2 wrap-anywhere">
      <Checkbox
        name={`row-${row.id}`}
        label={movie(row)}
        hint={hints.length > 0 ? hints.join(' · ') : undefined}
        checked={isChosen}
        onChange={({ target }) => {
          setChosen(target.checked)
          onChoose(target.checked)
        }}
      />
    </li>
  )
}
