import { useSearchParams } from 'react-router'

export const PERIODS = ['this-year', 'last-year', 'last-30-days', 'all-time'] as const
export type Period = (typeof PERIODS)[number]

/** The first and the last day, both included. */
export type Days = { readonly from?: string; readonly to?: string }

/** The period in the URL, so that it can be shared and survives a reload. */
export function usePeriod() {
  const [params, setParams] = useSearchParams()
  const period = PERIODS.find((one) => one === params.get('period')) ?? 'this-year'
  const choose = (chosen: Period) => {
    const after = new URLSearchParams(window.location.search)
    if (chosen === 'this-year') after.delete('period')
    else after.set('period', chosen)
    setParams(after, { replace: true, preventScrollReset: true })
  }
  return { period, choose }
}

/** The days of a period, on the calendar of this device. */
export function daysOf(period: Period, today: Date): Days {
  const year = today.getFullYear()
  switch (period) {
    case 'this-year':
      return daysOfYear(year)
    case 'last-year':
      return daysOfYear(year - 1)
    case 'last-30-days':
      return { from: dayOf(new Date(year, today.getMonth(), today.getDate() - 29)), to: dayOf(today) }
    case 'all-time':
      return {}
  }
}

export function daysOfYear(year: number): Days {
  return { from: `${year}-01-01`, to: `${year}-12-31` }
}

/** The year of a period that is one. */
export function yearOf(period: Period, today: Date): number | undefined {
  if (period === 'this-year') return today.getFullYear()
  return period === 'last-year' ? today.getFullYear() - 1 : undefined
}

function dayOf(date: Date): string {
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}
