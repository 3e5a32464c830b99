import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { Skeleton } from '#web/ui/skeleton.tsx'

import { LoadFailure } from './load-failure.tsx'

type AccountListProps<Item> = {
  query: Pick<UseQueryResult<readonly Item[]>, 'data' | 'isError' | 'refetch'>
  /** What the list is called by those who do not see it. */
  label: string
  /** Said where there is nothing in it. */
  none?: string
  failed: string
  row: (item: Item) => ReactNode
}

/** What belongs to an account, once it is loaded: its rows, or that there are none, or that it could not be loaded. */
export function AccountList<Item>({ query, label, none, failed, row }: AccountListProps<Item>) {
  const { data: items, isError, refetch } = query
  return (
    <>
      {isError && <LoadFailure text={failed} onRetry={refetch} />}
      {!isError && items === undefined && <Skeleton className="h-16" />}
      {items?.length === 0 && none !== undefined && <p className="text-muted">{none}</p>}
      {items !== undefined && items.length > 0 && (
        <ul aria-label={label} className="flex flex-col divide-y divide-line">
          {items.map(row)}
        </ul>
      )}
    </>
  )
}
