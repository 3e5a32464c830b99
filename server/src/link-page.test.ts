import { expect, test } from 'vitest'

import { noRateLimiter, type RateLimiter } from '@marquee/platform/limits/rate-limiter'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './migrations/index.ts'
import { anApp } from './testing/start-app.ts'

/** A limiter whose windows never end, so that the test may take as long as it likes. */
function endlessWindows(): RateLimiter {
  const counts = new Map<string, number>()
  return {
    ...noRateLimiter,
    take: async (name, key, { max }) => {
      const count = (counts.get(`${name} ${key}`) ?? 0) + 1
      counts.set(`${name} ${key}`, count)
      return await Promise.resolve(count > max ? { retryAfterSeconds: 60 } : undefined)
    },
  }
}

anyDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase, { limiter: endlessWindows() })
  const open = async (url: string, remoteAddress: string) => {
    const { statusCode, headers } = await theApp().app.inject({ method: 'POST', url, remoteAddress })
    return { statusCode, isToWait: Number(headers['retry-after']) > 0 }
  }

  test('an address can open 600 link pages a minute, and other addresses have their own limit', async () => {
    for (let n = 0; n < 300; n += 1) {
      await open('/night-answer/wrong', '192.0.2.1')
      await open('/unsubscribe/wrong', '192.0.2.1')
    }

    expect(await open('/night-answer/wrong', '192.0.2.1')).toEqual({ statusCode: 429, isToWait: true })
    expect(await open('/unsubscribe/wrong', '192.0.2.1')).toEqual({ statusCode: 429, isToWait: true })
    expect(await open('/night-answer/wrong', '192.0.2.2')).toEqual({ statusCode: 404, isToWait: false })
  })
})
