import { onlineManager, type Query, QueryClient, type QueryPersister } from '@tanstack/react-query'

import { connection as ofThisTab } from './connection.ts'
import { noteReads } from './read-times.ts'

/**
 * An empty cache for one user. The cache does not retry, because calls do (api/retry). Without a network a query or a
 * change fails at once instead of waiting unseen. Queries refetch when the server is back. `persister` answers reads that
 * do not reach the server.
 */
export function createQueryClient(persister?: QueryPersister, connection = ofThisTab): QueryClient {
  onlineManager.setEventListener((setOnline) => {
    const follow = () => setOnline(connection.current() === 'online')
    // The app may have been opened without the server.
    follow()
    return connection.subscribe(follow)
  })
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 30_000,
        networkMode: 'always',
        refetchOnReconnect: true,
        ...(persister && { persister }),
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  // Before the next ones: what they read again must not make an answer look newer.
  noteReads(client)
  readAgainAfterChanges(client)
  readAgainAfterFirstReads(client)
  return client
}

/** A read that began before the answer of a change may be older than that answer and would replace it, so it begins again. */
function readAgainAfterChanges(client: QueryClient): void {
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual !== true) return
    const { query } = event
    if (query.state.fetchStatus !== 'fetching') return
    void client.refetchQueries({ predicate: (other) => other === query })
  })
}

/**
 * What makes a query out of date restarts a read that is under way, but not the first one, although its answer may be just as
 * old. So that is followed by another.
 */
function readAgainAfterFirstReads(client: QueryClient): void {
  const outOfDate = new WeakSet<Query>()
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { action } = event
    const query = event.query as Query
    const isFirst = query.state.fetchStatus === 'fetching' && query.state.data === undefined
    if (action.type === 'invalidate' && isFirst) outOfDate.add(query)
    if (action.type === 'fetch') {
      outOfDate.delete(query)
      // After a failure it is out of date already, and nothing would say that it is again.
      if (isFirst && query.state.isInvalidated) query.setState({ isInvalidated: false })
    }
    if (action.type !== 'success' || action.manual === true || !outOfDate.delete(query)) return
    void client.invalidateQueries({ predicate: (other) => other === query })
  })
}
