import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'

import { catchUp, changeKey, ownChangesAnswered, readBetweenChanges, stopReading } from './own-changes.ts'
import { createQueryClient } from './query-client.ts'
import { momentBefore } from './read-times.ts'
import { WITHIN } from '#web/testing/within.ts'

let client: QueryClient
beforeEach(() => {
  client = createQueryClient()
})

/** Lets both clocks go on. */
async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5))
}

/** A change of the watchlist that the server answers when `answer` is called. */
function aChange(watchlistId = 'w1') {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const done = client
    .getMutationCache()
    .build(client, { mutationKey: changeKey(watchlistId), mutationFn: async () => answered })
    .execute(undefined)
  return {
    answer: async () => {
      answer()
      await done
    },
  }
}

test('waiting ends with the last pending change of the watchlist, not those of other watchlists', async () => {
  const [one, two] = [aChange(), aChange()]
  aChange('w2')
  let isOver = false
  const waiting = ownChangesAnswered(client, changeKey('w1')).then(() => (isOver = true))

  await one.answer()
  expect(isOver).toBe(false)
  await two.answer()

  await waiting
  expect(isOver).toBe(true)
})

test('a read waits until a pending change is answered', async () => {
  const change = aChange()
  const log: string[] = []
  const reading = readBetweenChanges(client, 'w1', async () => log.push('read'))

  log.push('answered')
  await change.answer()
  await reading

  expect(log).toEqual(['answered', 'read'])
})

test('a read during which a change began is repeated', async () => {
  const reads: string[] = []
  const found = await readBetweenChanges(client, 'w1', async () => {
    const isFirst = reads.length === 0
    reads.push('read')
    if (isFirst) await aChange().answer()
    return isFirst ? 'old' : 'new'
  })

  expect([found, reads.length]).toEqual(['new', 2])
})

test('a read that a change cancels is repeated after the change', async () => {
  let reads = 0
  const queryKey = ['cards', 'w1']
  const observed = client.getQueryCache()
  const reading = client
    .query({
      queryKey,
      queryFn: async ({ signal }) => {
        reads += 1
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
      },
    })
    .catch(() => 'stopped')
  const change = aChange()

  await stopReading(client, 'w1', queryKey)
  expect(await reading).toBe('stopped')
  expect(observed.find({ queryKey })?.state.isInvalidated).toBe(false)
  await change.answer()

  await expect.poll(() => observed.find({ queryKey })?.state.isInvalidated).toBe(true)
  expect(reads).toBe(1)
})

test('catching up repeats a read that was in progress at the time of the event', async () => {
  const answers: ((value: string) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['cards'],
    queryFn: async () => new Promise<string>((resolve) => answers.push(resolve)),
  })
  const stop = observer.subscribe(() => {})
  await pause()

  const caughtUp = catchUp(client, ['cards'], momentBefore(0))
  answers[0]?.('before the event')
  await vi.waitFor(() => expect(answers).toHaveLength(2), WITHIN)
  answers[1]?.('after the event')
  await caughtUp

  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('after the event'), WITHIN)
  expect(answers).toHaveLength(2)
  stop()
})

test('catching up repeats a read that was answered before the event', async () => {
  const answers = ['before the event', 'after the event']
  const observer = new QueryObserver(client, { queryKey: ['cards'], queryFn: async () => answers.shift() })
  const stop = observer.subscribe(() => {})
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('before the event'), WITHIN)
  await pause()

  await catchUp(client, ['cards'], momentBefore(0))

  expect(observer.getCurrentResult().data).toBe('after the event')
  stop()
})

test('catching up does not repeat reads that began after the event', async () => {
  const answers: ((value: string) => void)[] = []
  const read = async () => new Promise<string>((resolve) => answers.push(resolve))
  const answered = new QueryObserver(client, { queryKey: ['cards', 'answered'], queryFn: read })
  const underWay = new QueryObserver(client, { queryKey: ['cards', 'under way'], queryFn: read })
  const stops = [answered.subscribe(() => {}), underWay.subscribe(() => {})]
  answers[0]?.('after the event')
  await vi.waitFor(() => expect(answered.getCurrentResult().data).toBe('after the event'), WITHIN)

  const caughtUp = catchUp(client, ['cards'], momentBefore(60_000))
  answers[1]?.('after the event')
  await caughtUp
  await vi.waitFor(() => expect(underWay.getCurrentResult().data).toBe('after the event'), WITHIN)

  expect(answers).toHaveLength(2)
  for (const stop of stops) stop()
})

test('a first read that an event makes stale is followed by another', async () => {
  const answers: ((value: string) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['cards'],
    queryFn: async () => new Promise<string>((resolve) => answers.push(resolve)),
  })
  const stop = observer.subscribe(() => {})

  void client.invalidateQueries({ queryKey: ['cards'] })
  answers[0]?.('before the event')
  await vi.waitFor(() => expect(answers).toHaveLength(2), WITHIN)
  answers[1]?.('after the event')

  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('after the event'), WITHIN)
  expect(answers).toHaveLength(2)
  stop()
})

test('a first read after a failure is repeated if an event makes it stale', async () => {
  const answers: PromiseWithResolvers<string>[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['cards'],
    queryFn: async () => {
      const answer = Promise.withResolvers<string>()
      answers.push(answer)
      return answer.promise
    },
  })
  const stop = observer.subscribe(() => {})
  answers[0]?.reject(new Error('down'))
  await vi.waitFor(() => expect(observer.getCurrentResult().isError).toBe(true), WITHIN)
  void observer.refetch()
  await vi.waitFor(() => expect(answers).toHaveLength(2), WITHIN)

  void client.invalidateQueries({ queryKey: ['cards'] })
  answers[1]?.resolve('before the event')

  await vi.waitFor(() => expect(answers).toHaveLength(3), WITHIN)
  stop()
})

test('catching up repeats reads that failed before or during it', async () => {
  const answers: PromiseWithResolvers<string>[] = []
  const read = async () => {
    const answer = Promise.withResolvers<string>()
    answers.push(answer)
    return answer.promise
  }
  const failed = new QueryObserver(client, { queryKey: ['cards', 'failed'], queryFn: read })
  const failing = new QueryObserver(client, { queryKey: ['cards', 'failing'], queryFn: read })
  const stops = [failed.subscribe(() => {}), failing.subscribe(() => {})]
  answers[0]?.reject(new Error('down'))
  await vi.waitFor(() => expect(failed.getCurrentResult().isError).toBe(true), WITHIN)

  const caughtUp = catchUp(client, ['cards'], momentBefore(60_000))
  await vi.waitFor(() => expect(answers).toHaveLength(3), WITHIN)
  answers[2]?.resolve('again')
  answers[1]?.reject(new Error('down'))
  await vi.waitFor(() => expect(answers).toHaveLength(4), WITHIN)
  answers[3]?.resolve('again')
  await caughtUp

  expect([failed, failing].map((observer) => observer.getCurrentResult().data)).toEqual(['again', 'again'])
  for (const stop of stops) stop()
})
