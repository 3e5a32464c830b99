import type { Statistics } from '@marquee/contract/entities/statistics'

import { useTranslation } from '#web/i18n/texts.ts'

import { Rows } from './bars.tsx'
import { Chart } from './chart.tsx'
import { NumberCard, NumberCards } from './number-cards.tsx'
import { chartsOf } from './story.tsx'

/** Absent without enough movie nights and draws that pick a person. */
export function NightStatistics({ statistics }: { statistics: Statistics }) {
  const { t } = useTranslation('watchlist')
  const { nights, fairness } = statistics
  const charts = chartsOf(statistics)
  const attendance = nights.attendance.map((person) => ({
    key: person.username,
    label: person.username,
    value: person.nights,
    cells: [person.username, person.nights],
  }))
  const picked = fairness.map(({ username, expected, actual }) => ({
    key: username,
    label: username,
    value: actual,
    mark: expected,
    cells: [username, actual, expected],
  }))
  return (
    <>
      {charts.nights && (
        <NumberCards label={t('statistics.nights')}>
          <NumberCard value={nights.held} name={t('statistics.nightsHeld', { count: nights.held })} />
          <NumberCard value={nights.vetoed} name={t('statistics.vetoed', { count: nights.vetoed })} />
        </NumberCards>
      )}
      {(charts.nights || charts.picks) && (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          {charts.nights && (
            <Chart
              title={t('statistics.attendance')}
              Bars={Rows}
              columns={[t('statistics.member'), t('statistics.nights')]}
              rows={attendance}
            />
          )}
          {charts.picks && (
            <Chart
              title={t('statistics.fairness')}
              hint={t('statistics.fairnessHint')}
              Bars={Rows}
              columns={[t('statistics.member'), t('statistics.picked'), t('statistics.expected')]}
              rows={picked}
            />
          )}
        </div>
      )}
    </>
  )
}
