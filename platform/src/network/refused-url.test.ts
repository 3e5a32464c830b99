import { expect, test } from 'vitest'

import { RefusedUrl, within } from './refused-url.ts'

const endless = async () => await new Promise<never>(() => undefined)

test('work that ends in time returns its result', async () => {
  expect(await within(AbortSignal.timeout(10_000), Promise.resolve('done'))).toBe('done')
})

test('work that begins after the deadline fails with the reason time', async () => {
  await expect(within(AbortSignal.abort(), endless())).rejects.toMatchObject({ reason: 'time' })
})

test('work that the deadline aborts fails with the reason time', async () => {
  const deadline = new AbortController()
  const brokenOff = new Promise((_resolve, reject) => {
    deadline.signal.addEventListener('abort', () => {
      reject(new Error('hung up'))
    })
  })
  const waiting = within(deadline.signal, brokenOff)

  deadline.abort()

  await expect(waiting).rejects.toMatchObject({ reason: 'time' })
})

test('work that fails before the deadline keeps its cause', async () => {
  const broken = new Error('hung up')

  await expect(within(AbortSignal.timeout(10_000), Promise.reject(broken))).rejects.toMatchObject({
    reason: 'network',
    cause: broken,
  })
})

test('a refusal keeps its reason', async () => {
  const refused = new RefusedUrl('size', 'too large')

  await expect(within(AbortSignal.timeout(10_000), Promise.reject(refused))).rejects.toBe(refused)
})
