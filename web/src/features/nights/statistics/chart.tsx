import { ChartColumn, Table2 } from 'lucide-react'
import { useId, useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'

import type { Bar, Columns } from './bars.tsx'

type ChartRow = Bar & {
  /** In the columns of the table. */
  readonly cells: readonly (string | number)[]
}

type ChartProps = {
  title: string
  hint?: string
  Bars: typeof Columns
  columns: readonly string[]
  rows: readonly ChartRow[]
}

/** A chart, or its table. Screen readers always get the table. */
export function Chart({ title, hint, Bars, columns, rows }: ChartProps) {
  const { t } = useTranslation('watchlist')
  const [showsTable, setShowsTable] = useState(false)
  const titleId = useId()
  return (
    <Panel aria-labelledby={titleId} className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={titleId} className="text-xl">
          {title}
        </h2>
        <Button
          tone="quiet"
          size="small"
          icon={showsTable ? <ChartColumn aria-hidden /> : <Table2 aria-hidden />}
          onClick={() => setShowsTable(!showsTable)}
        >
          {t(showsTable ? 'statistics.showChart' : 'statistics.showTable')}
        </Button>
      </div>
      {!showsTable && (
        <div aria-hidden>
          {hint !== undefined && <p className="mb-3 text-sm text-muted">{hint}</p>}
          <Bars bars={rows} />
        </div>
      )}
      <div className={showsTable ? undefined : 'sr-only'}>
        <table aria-labelledby={titleId} className="w-full border-collapse text-sm">
          <thead>
            <tr className="border-b border-line text-muted">
              {columns.map((column) => (
                <th key={column} scope="col" className="py-2 text-start font-semibold not-first:text-end">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells: [name, ...numbers] }) => (
              <tr key={key} className="border-b border-line last:border-0">
                <th scope="row" className="py-2 text-start font-normal">
                  {name}
                </th>
                {numbers.map((number, column) => (
                  <td key={columns[column + 1]} className="py-2 text-end tabular-nums">
                    {number}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}
