import type { ComponentProps, ReactElement, ReactNode } from 'react'

import { RetryBanner } from './banner.tsx'
import { Spinner } from './spinner.tsx'

type UnreadProps = {
  query: ComponentProps<typeof RetryBanner>['query'] & { isError: boolean }
  /** A text is the label of a spinner. */
  loading: string | ReactElement | null
  failed: ReactNode
}

/** In place of what a query has not read: that it loads, or why it failed, with a button to try again. */
export function Unread({ query, loading, failed }: UnreadProps) {
  if (query.isError) return <RetryBanner query={query}>{failed}</RetryBanner>
  return typeof loading === 'string' ? <Spinner label={loading} /> : loading
}
