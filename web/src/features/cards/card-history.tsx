import type { StatusChange } from '@marquee/contract/entities/card'
import { historyVerb } from '@marquee/contract/rules/card-moves'
import { useTranslation } from 'react-i18next'

import { momentText } from '#web/i18n/dates.ts'
import { Tooltip } from '#web/ui/tooltip.tsx'

import { HISTORY_ICON } from './card-look.ts'

type CardHistoryProps = { changes: readonly StatusChange[] }

/** What happened to a card, oldest first: an icon each, its sentence in a tooltip, and who did the last thing when. */
export function CardHistory({ changes }: CardHistoryProps) {
  const { t } = useTranslation('moviecard')
  const last = changes.at(-1)
  return (
    <div className="flex min-w-0 flex-col items-end gap-0.5">
      <ol aria-label={t('history.label')} className="-mx-1 flex flex-wrap justify-end pointer-coarse:-mx-3">
        {changes.map((change, index) => {
          const { status, changedBy, changedAt } = change
          const verb = historyVerb(status, index)
          const Icon = HISTORY_ICON[verb]
          return (
            <li key={`${changedAt} ${status}`}>
              <Tooltip
                text={t(`history.${verb}`, { user: changedBy, date: momentText(changedAt) })}
                className="flex size-7 items-center justify-center rounded-control text-muted hover:text-text pointer-coarse:size-11"
              >
                <Icon aria-hidden className="size-4.5" />
              </Tooltip>
            </li>
          )
        })}
      </ol>
      {last !== undefined && (
        <p className="flex flex-wrap justify-end gap-x-2 text-right text-xs text-muted">
          <span>{last.changedBy}</span>
          <time dateTime={last.changedAt}>{momentText(last.changedAt)}</time>
        </p>
      )}
    </div>
  )
}
