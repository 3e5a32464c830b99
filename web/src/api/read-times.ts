import type { Query, QueryClient } from '@tanstack/react-query'

import { hasEarlyReads } from './early-reads.ts'

/** A moment on both clocks of the browser: the first may stand still while the device sleeps, the second may be set. */
export type Moment = { readonly elapsed: number; readonly date: number }

/** The moment this many milliseconds ago. */
export function momentBefore(ms: number): Moment {
  return { elapsed: performance.now() - ms, date: new Date().getTime() - ms }
}

/** When each query asked the server: for the data it has, and for the data it is loading. */
const answered = new WeakMap<Query, Moment>()
const asked = new WeakMap<Query, Moment>()

/** Notes when the queries of a client read. A further page of a list says nothing of the pages before. */
export function noteReads(client: QueryClient): void {
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { action } = event
    const query = event.query as Query
    if (query.state.fetchMeta) return
    if (action.type === 'fetch') asked.set(query, hasEarlyReads() ? momentBefore(performance.now()) : momentBefore(0))
    if (action.type !== 'success' || action.manual === true) return
    const at = asked.get(query)
    if (at) answered.set(query, at)
    else answered.delete(query)
  })
}

/** Says that the running read of a query does not get its answer from the server. */
export function answeredHere(query: Query): void {
  asked.delete(query)
}

/** Whether the query has, or is about to get, an answer to a read that began after this moment. */
export function isReadSince(query: Query, moment: Moment): boolean {
  const { fetchStatus, fetchMeta } = query.state
  return isSince((fetchStatus === 'fetching' && !fetchMeta ? asked : answered).get(query), moment)
}

/** Whether the query has an answer of the server to a read that began after this moment. */
export function isAnsweredSince(query: Query, moment: Moment): boolean {
  return isSince(answered.get(query), moment)
}

function isSince(at: Moment | undefined, moment: Moment): boolean {
  return at !== undefined && at.elapsed >= moment.elapsed && at.date >= moment.date
}
