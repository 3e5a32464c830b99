import { QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'

import { createConnection } from './connection.ts'
import { createQueryClient } from './query-client.ts'

test('a read that failed in an app that was opened without the server is repeated when the server is back', async () => {
  const { promise: isBack, resolve: comeBack } = Promise.withResolvers<boolean>()
  const connection = createConnection({
    hasNetwork: () => true,
    answers: async () => isBack,
    wait: async () => {},
  })
  connection.miss()
  const client = createQueryClient(undefined, connection)
  client.mount()
  const read = vi.fn<() => Promise<never>>(async () => Promise.reject(new Error('no answer')))
  const stop = new QueryObserver(client, { queryKey: ['cards'], queryFn: read }).subscribe(() => {})
  await expect.poll(() => client.getQueryState(['cards'])?.status).toBe('error')

  comeBack(true)

  await expect.poll(() => connection.current()).toBe('online')
  await expect.poll(() => read.mock.calls.length).toBe(2)
  stop()
  client.unmount()
})
