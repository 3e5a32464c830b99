import { classes } from '#web/ui/classes.ts'

/** More columns have no room for their numbers. */
const NUMBERED_COLUMNS = 14
/** More labels than these overlap on a phone. */
const LABELS = 4

/** The table has the others. */
const SHOWN_ROWS = 8

export type Bar = {
  readonly key: string
  readonly label: string
  readonly value: number
  /** A line in the bar, in rows only. */
  readonly mark?: number
}

type BarsProps = { bars: readonly Bar[] }

/** Values over time. */
export function Columns({ bars }: BarsProps) {
  const highest = highestOf(bars)
  const gap = bars.length > NUMBERED_COLUMNS ? 'gap-px' : 'gap-1.5'
  return (
    <div className="flex flex-col gap-2">
      <div className={classes('flex h-44 border-b border-line', gap)}>
        {bars.map(({ key, value }) => (
          <div
            key={key}
            className="flex min-w-0 flex-1 flex-col items-center justify-end text-xs text-muted tabular-nums"
          >
            {bars.length <= NUMBERED_COLUMNS && value > 0 && value}
            <div
              className="w-full max-w-10 rounded-t-poster bg-watched-edge"
              style={{ height: `${(value / highest) * 85}%` }}
            />
          </div>
        ))}
      </div>
      <ColumnLabels bars={bars} gap={gap} />
    </div>
  )
}

/** The labels of some columns, each centred below its own. The first and the last one have room beside them. */
function ColumnLabels({ bars, gap }: BarsProps & { gap: string }) {
  const each = Math.ceil(bars.length / LABELS)
  return (
    <div className={classes('flex text-xs text-muted', gap)}>
      {bars.map(({ key, label }, n) => (
        <div key={key} className="flex min-w-0 flex-1 justify-center">
          {n % each === Math.floor(each / 2) && <span className="whitespace-nowrap">{label}</span>}
        </div>
      ))}
    </div>
  )
}

/** Values beside their names, the first few. */
export function Rows({ bars }: BarsProps) {
  const highest = highestOf(bars)
  return (
    <div className="flex flex-col gap-3 text-sm">
      {bars.slice(0, SHOWN_ROWS).map(({ key, label, value, mark }) => (
        <div key={key} className="flex flex-col gap-1">
          <div className="flex justify-between gap-3">
            <span className="truncate">{label}</span>
            <span className="text-muted tabular-nums">{value}</span>
          </div>
          <div className="relative h-2.5 rounded-full bg-raised">
            <div className="h-full rounded-full bg-watched-edge" style={{ width: `${(value / highest) * 100}%` }} />
            {mark !== undefined && (
              <div
                className="absolute -inset-y-1 w-0.5 -translate-x-1/2 bg-text rtl:translate-x-1/2"
                style={{ insetInlineStart: `${(mark / highest) * 100}%` }}
              />
            )}
          </div>
        </div>
      ))}
    </div>
  )
}

function highestOf(bars: readonly Bar[]): number {
  return Math.max(1, ...bars.map(({ value, mark = 0 }) => Math.max(value, mark)))
}
