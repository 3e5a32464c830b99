import '#web/i18n/draw-texts.ts'
import type { DrawReceipt } from '@marquee/contract/entities/draw'
import { DRAW_BAND, MAX_CHECKABLE_CARDS } from '@marquee/contract/limits'
import { isCheckable } from '@marquee/contract/rules/check-receipt'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'

import { isApiError } from '#web/api/api-error.ts'
import { momentText } from '#web/i18n/dates.ts'
import { useFilterText } from '#web/i18n/draw-filter.ts'
import { listText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { saveJson } from '#web/ui/save-file.ts'
import { Unread } from '#web/ui/unread.tsx'

import { resultKey } from './draw-result.ts'
import { drawnTitle, drawReceipt, useLiveDraws } from './queries.ts'
import { percentText } from './odds-panel.tsx'
import { ReceiptCheck } from './receipt-check.tsx'

/** One draw: what was drawn and how, the check, and the receipt as a file. */
export function DrawDetails({ watchlistId, drawNumber }: { watchlistId: string; drawNumber: number }) {
  const { t } = useTranslation('moviecard')
  const query = useQuery(drawReceipt(watchlistId, drawNumber))
  const { data: receipt, error } = query
  useLiveDraws(watchlistId)
  if (isApiError(error, 'NOT_FOUND')) return <Banner tone="info">{t('draws.missing')}</Banner>
  if (receipt === undefined)
    return <Unread query={query} loading={<Skeleton className="h-80" />} failed={t('draws.receiptFailed')} />
  return (
    <div className="flex flex-col gap-6">
      <Facts receipt={receipt} />
      {isCheckable(receipt) ? <ReceiptCheck receipt={receipt} /> : <NoCheck receipt={receipt} />}
      <Button
        tone="quiet"
        icon={<Download aria-hidden />}
        className="self-start"
        onClick={() => saveJson(receipt, `draw-${receipt.drawNumber}.json`)}
      >
        {t('draws.download')}
      </Button>
    </div>
  )
}

function Facts({ receipt }: { receipt: DrawReceipt }) {
  const { t } = useTranslation('moviecard')
  const filterText = useFilterText()
  const { by, preparedAt, revealedAt, rule, filter, seeds, picked, commitment, nightId, absent } = receipt
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[auto_minmax(0,1fr)]">
      <Fact name={t('draws.cards')}>
        {picked.length === 0 && t(resultKey(receipt))}
        {picked.map((pick) => (
          <Picked key={pick.cardId} receipt={receipt} pick={pick} />
        ))}
      </Fact>
      <Fact name={t('draws.by')}>
        {t(nightId === null ? 'draws.byAt' : 'draws.byInNight', {
          user: by,
          time: momentText(revealedAt ?? preparedAt),
        })}
      </Fact>
      <Fact name={t('draws.rule')}>{t(`draws.rules.${rule}`)}</Fact>
      <Fact name={t('draws.tookPart')}>
        <TookPart receipt={receipt} />
      </Fact>
      {filter !== null && <Fact name={t('draws.filter')}>{filterText(filter)}</Fact>}
      {seeds.length > 0 && <Fact name={t('draws.seeds')}>{t('draws.seedCount', { count: seeds.length })}</Fact>}
      {absent.length > 0 && (
        <Fact name={t('draws.absent')}>
          {t('draws.absentWhy', { names: listText([...new Set(absent.map(({ name }) => name))]) })}
        </Fact>
      )}
      {commitment !== null && (
        <Fact name={t('draws.commitment')}>
          <code className="text-sm break-all">{commitment}</code>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-sm font-semibold text-muted max-sm:-mb-2">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}

function TookPart({ receipt: { eligible, isBand } }: { receipt: DrawReceipt }) {
  const { t } = useTranslation('moviecard')
  if (eligible === null) return t('draws.tookPartSecret')
  if (!isBand) return t('draws.tookPartCount', { count: eligible })
  return t(eligible < DRAW_BAND ? 'draws.tookPartFew' : 'draws.tookPartMany', { limit: DRAW_BAND })
}

function Picked({ receipt, pick }: { receipt: DrawReceipt; pick: DrawReceipt['picked'][number] }) {
  const { t } = useTranslation('moviecard')
  const { data: title } = useQuery(drawnTitle(receipt.watchlistId, pick.cardId))
  return (
    <p>
      <span className="font-semibold wrap-anywhere">{title ?? t('draws.backInBox')}</span>
      {pick.odds !== null && (
        <span className="block text-sm text-muted">
          {t('draws.chanceOf')} {t('draws.chance', { percent: percentText(pick.odds) })}
        </span>
      )}
    </p>
  )
}

function NoCheck({ receipt }: { receipt: DrawReceipt }) {
  const { t } = useTranslation('moviecard')
  return <Banner tone="info">{t(`draws.noCheck.${obstacleOf(receipt)}`)}</Banner>
}

/** Why a draw cannot be checked. */
function obstacleOf({ status, eligible }: DrawReceipt) {
  if (status === 'prepared') return 'prepared'
  if (status !== 'revealed') return 'over'
  return eligible !== null && eligible > MAX_CHECKABLE_CARDS ? 'tooMany' : 'oneStep'
}
