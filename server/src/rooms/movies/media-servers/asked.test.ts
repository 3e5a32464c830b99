import { Problem } from '@marquee/contract/problems'
import { expect, test } from 'vitest'

import { MediaServerFault } from './adapters/port.ts'
import { asked } from './asked.ts'

const failureOf = async (error: Error) =>
  await asked(async () => await Promise.reject(error)).catch((failure: unknown) => failure)

test('a fault of a media server becomes a bad request that names its kind, but no details of the server', async () => {
  const problem = await failureOf(new MediaServerFault('key', 'HTTP 401 of 192.168.1.20'))

  expect(problem).toBeInstanceOf(Problem)
  expect(problem).toMatchObject({
    key: 'BAD_REQUEST',
    message: 'The media server does not accept this key',
    details: { fault: 'key' },
  })
})

test('an error that is not a fault of a media server is passed on unchanged', async () => {
  const error = new Error('The database is away')

  expect(await failureOf(error)).toBe(error)
})
