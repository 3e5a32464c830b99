import { expect, test } from 'vitest'

import { createJobQueue, QueueFull } from './job-queue.ts'

/** A job that runs until the test ends it. */
function aJob() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const job = { hasStarted: false, end: resolve, fail: reject }
  return {
    ...job,
    run: async () => {
      job.hasStarted = true
      return await promise
    },
    hasStarted: () => job.hasStarted,
  }
}

test('no more jobs run at once than allowed, and each gets its own result', async () => {
  const queue = createJobQueue({ parallel: 2, waiting: 10 })
  const jobs = [aJob(), aJob(), aJob()]
  const results = jobs.map(async (job) => await queue(job.run))

  expect(jobs.map((job) => job.hasStarted())).toEqual([true, true, false])
  jobs[1]?.end('second')
  await results[1]
  expect(jobs[2]?.hasStarted()).toBe(true)

  jobs[0]?.end('first')
  jobs[2]?.end('third')
  expect(await Promise.all(results)).toEqual(['first', 'second', 'third'])
})

test('a failed job frees its place', async () => {
  const queue = createJobQueue({ parallel: 1, waiting: 1 })
  const failing = aJob()
  const failed = queue(failing.run)
  const next = queue(async () => await Promise.resolve('next'))

  failing.fail(new Error('broken'))

  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('next')
})

test('a job beyond the queue is rejected at once', async () => {
  const queue = createJobQueue({ parallel: 1, waiting: 1 })
  const running = aJob()
  const results = [queue(running.run), queue(async () => await Promise.resolve('waited'))]

  await expect(queue(async () => await Promise.resolve('late'))).rejects.toThrow(QueueFull)

  running.end('ran')
  expect(await Promise.all(results)).toEqual(['ran', 'waited'])
})
