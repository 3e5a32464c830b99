import type { StatusChange } from '@marquee/contract/entities/card'
import { type HistoryVerb, historyVerb } from '@marquee/contract/rules/card-moves'
import { X } from 'lucide-react'

import { momentText } from '#web/i18n/dates.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'

import { HISTORY_ICON } from './card-look.tsx'

/** More icons would leave no room for the name beside them. */
const NEWEST = 3

const slotStyle =
  'flex size-7 items-center justify-center rounded-control text-muted hover:text-text pointer-coarse:size-11'

type Step = StatusChange & { verb: HistoryVerb }

/**
 * The history of a card: the newest steps as icons with tooltips, the last one as text, and a button with a panel of
 * all steps. The panel is placed in the nearest positioned parent.
 */
export function CardHistory({ changes }: { changes: readonly StatusChange[] }) {
  const { t } = useTranslation('moviecard')
  const sentenceOf = useSentence()
  const steps = changes.map((change, index) => ({
    ...change,
    verb: historyVerb(change.status, index),
    fromEnd: changes.length - index,
  }))
  const last = steps.at(-1)
  const hidden = Math.max(0, steps.length - NEWEST)
  return (
    <div className="flex min-w-36 shrink-0 flex-col items-end gap-0.5 sm:min-w-52 max-sm:pointer-coarse:min-w-38">
      {/* Its boxes have room for all places from the start. */}
      <div className="-mx-1 flex justify-end self-stretch pointer-coarse:-mx-3">
        {hidden > 0 && <AllSteps steps={steps} hidden={hidden} />}
        <ol aria-label={t('history.label')} className="flex w-21 justify-end pointer-coarse:w-33">
          {steps.slice(hidden).map((step) => (
            // Each place keeps its element, counted from the end: a new step moves no icon.
            <li key={step.fromEnd}>
              <Tooltip text={sentenceOf(step)} className={slotStyle}>
                <StepIcon verb={step.verb} />
              </Tooltip>
            </li>
          ))}
        </ol>
      </div>
      {last !== undefined && (
        // A long name does not widen the column. A new step replaces two lines by two lines, so nothing moves.
        <p key={last.changedAt} className="w-0 min-w-full text-end text-xs text-muted tabular-nums">
          <span className="block truncate">{last.changedBy}</span>
          <time className="block" dateTime={last.changedAt}>
            {momentText(last.changedAt)}
          </time>
        </p>
      )}
    </div>
  )
}

function AllSteps({ steps, hidden }: { steps: readonly Step[]; hidden: number }) {
  const { t } = useTranslation('moviecard')
  const { t: common } = useTranslation()
  const sentenceOf = useSentence()
  return (
    <Popover
      label={t('history.showAll', { count: hidden })}
      trigger={t('history.more', { count: hidden })}
      triggerClassName={`${slotStyle} w-auto! min-w-7 px-1 text-xs font-semibold data-open:text-text pointer-coarse:min-w-11`}
      panelClassName="top-full end-0 mt-1 max-h-80 w-96 max-w-full"
    >
      {(close) => (
        <>
          <div className="-mt-2 -me-2 flex items-center justify-between">
            <p className="text-sm font-semibold text-muted">{t('history.label')}</p>
            <IconButton aria-label={common('close')} icon={<X aria-hidden />} onClick={close} />
          </div>
          <ol aria-label={t('history.all')} className="flex flex-col gap-2 text-sm">
            {steps.toReversed().map((step) => (
              <li key={keyOf(step)} className="flex gap-2.5">
                <StepIcon verb={step.verb} />
                <span className="min-w-0">{sentenceOf(step)}</span>
              </li>
            ))}
          </ol>
        </>
      )}
    </Popover>
  )
}

function StepIcon({ verb }: { verb: HistoryVerb }) {
  const Icon = HISTORY_ICON[verb]
  return <Icon aria-hidden className="size-4.5 shrink-0" />
}

function useSentence(): (step: Step) => string {
  const { t } = useTranslation('moviecard')
  return ({ verb, changedBy, changedAt }) => t(`history.${verb}`, { user: changedBy, date: momentText(changedAt) })
}

function keyOf({ changedAt, status }: Step): string {
  return `${changedAt} ${status}`
}
