import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'

import { connection } from './connection.ts'
import { createQueryClient } from './query-client.ts'

afterEach(() => vi.unstubAllGlobals())

test('a read that failed in an app that was opened without the server is repeated when the server is back', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', async () => answered)
  connection.miss()
  const client = createQueryClient()
  client.mount()
  const read = vi.fn<() => Promise<never>>(async () => Promise.reject(new Error('no answer')))
  const stop = new QueryObserver(client, { queryKey: ['cards'], queryFn: read }).subscribe(() => {})
  await expect.poll(() => client.getQueryState(['cards'])?.status).toBe('error')

  answer(new Response(null, { status: 200 }))

  await expect.poll(() => connection.current()).toBe('online')
  await expect.poll(() => read.mock.calls.length).toBe(2)
  stop()
  client.unmount()
})
