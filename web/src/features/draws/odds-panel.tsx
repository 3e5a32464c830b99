import '#web/i18n/draw-texts.ts'
import { DRAW_RESTS, DRAW_RULES, type DrawOdds, type DrawRest } from '@marquee/contract/entities/draw'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'

import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { Banner } from '#web/ui/banner.tsx'
import { announce } from '#web/ui/live-region.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { drawOdds, useLiveDraws, useSetDrawRule } from './queries.ts'
import { locale } from '#web/i18n/language.ts'
import { Unread } from '#web/ui/unread.tsx'

/** How the next card is drawn, with the chance of each person. The owner can change it. */
export function OddsPanel({ watchlistId, isOwner }: { watchlistId: string; isOwner: boolean }) {
  const { t } = useTranslation('moviecard')
  const query = useQuery(drawOdds(watchlistId))
  const { data: odds } = query
  useLiveDraws(watchlistId)
  return (
    <section aria-label={t('draws.odds')} className="flex flex-col gap-4">
      {/* As high as what follows, so that nothing below it moves. */}
      {odds === undefined && (
        <Unread
          query={query}
          loading={<Skeleton className={isOwner ? 'h-72 sm:h-54' : 'h-24'} />}
          failed={t('draws.oddsFailed')}
        />
      )}
      {odds !== undefined && (
        <>
          {isOwner ? <RuleForm watchlistId={watchlistId} odds={odds} /> : <Rule odds={odds} />}
          <div className="flex flex-col gap-3">
            <p className="text-sm text-muted">
              {t('draws.eligible', { count: odds.eligible })}
              {odds.resting > 0 && ` ${t('draws.resting', { count: odds.resting })}`}
            </p>
            <Chances people={odds.people} />
          </div>
        </>
      )}
      <Link
        to={to.draws(watchlistId)}
        className="inline-flex min-h-9 items-center self-start rounded-control text-sm font-semibold text-muted underline hover:text-text pointer-coarse:min-h-11"
      >
        {t('draws.all')}
      </Link>
    </section>
  )
}

function Rule({ odds: { rule } }: { odds: DrawOdds }) {
  const { t } = useTranslation('moviecard')
  return (
    <div>
      <p className="font-semibold">{t(`draws.rules.${rule}`)}</p>
      <p className="text-sm text-muted">
        {t(`draws.ruleHints.${rule}`)} {t('draws.ownerOnly')}
      </p>
    </div>
  )
}

/** Saves each choice at once. */
function RuleForm({ watchlistId, odds }: { watchlistId: string; odds: DrawOdds }) {
  const { t } = useTranslation('moviecard')
  const id = useId()
  const { mutate, isPending, variables, isError } = useSetDrawRule(watchlistId)
  const { rule, rest } = isPending ? variables : odds
  const save = (change: Partial<Pick<DrawOdds, 'rule' | 'rest'>>) =>
    mutate({ rule, rest, ...change }, { onSuccess: () => announce(t('draws.ruleSaved')) })
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-1.5">
        <Segmented
          legend={t('draws.rule')}
          name={`${id}rule`}
          value={rule}
          options={DRAW_RULES.map((value) => ({ value, label: t(`draws.rules.${value}`) }))}
          onChange={(value) => save({ rule: value })}
        />
        <p className="text-sm text-muted">{t(`draws.ruleHints.${rule}`)}</p>
      </div>
      <Segmented
        legend={t('draws.rest')}
        name={`${id}rest`}
        value={String(rest) as `${DrawRest}`}
        options={DRAW_RESTS.map((count) => ({
          value: `${count}` as const,
          label: t('draws.rests', { count }),
        }))}
        onChange={(value) => save({ rest: DRAW_RESTS.find((each) => `${each}` === value) ?? 0 })}
      />
      {isError && <Banner tone="error">{t('draws.ruleFailed')}</Banner>}
    </div>
  )
}

/** A bar for each member, by chance. */
function Chances({ people }: Pick<DrawOdds, 'people'>) {
  const { t } = useTranslation('moviecard')
  if (people.length === 0) return null
  return (
    <>
      <p className="text-sm text-muted">{t('draws.chancesIf')}</p>
      <ul className="flex flex-col gap-2">
        {people.map(({ username, chance }) => (
          <li key={username} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 text-sm">
            <span className="truncate">{username}</span>
            <span className="tabular-nums text-muted">{t('draws.chance', { percent: percentText(chance) })}</span>
            <span aria-hidden className="col-span-2 mt-1 h-1.5 overflow-hidden rounded-full bg-line">
              <span className="block h-full rounded-full bg-accent" style={{ width: `${chance * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** One decimal place below 10 %. */
export function percentText(chance: number): string {
  return (chance * 100).toLocaleString(locale, { maximumFractionDigits: chance < 0.1 ? 1 : 0 })
}
