import { expect, test } from 'vitest'

import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import { aUser } from '../../../testing/make.ts'
import { movableClock } from '../../../testing/movable-clock.ts'
import { anApp } from '../../../testing/start-app.ts'
import { findRemoval, setRemoval } from './removal-store.ts'
import { beginRestored } from './restored.ts'

const MINUTE_MS = 60_000

anyDatabase({ product: productMigrations }, (theDatabase) => {
  anApp(theDatabase)
  const watchlist = { name: 'Friday films', description: null, createdAt: '2025-01-01T00:00:00.000Z' }

  test('an abandoned restore cannot continue once the removal of its rows has begun', async () => {
    const clock = movableClock()
    const draft = beginRestored({ slices: theDatabase(), clock }, 'restored-late')
    const keep = async () => {
      await theDatabase().transaction(async (trx) => {
        await draft.keep(trx)
      })
    }
    await draft.open(aUser('ana'), watchlist)
    await keep()
    clock.moveAhead(6 * MINUTE_MS)
    await keep()

    clock.moveAhead(6 * MINUTE_MS)
    const due = await findRemoval(theDatabase().read, 'restored-late')
    await theDatabase().transaction(async (trx) => {
      if (due) await setRemoval(trx, due, clock.now().getTime() + 10_000)
    })

    await expect(keep()).rejects.toMatchObject({ key: 'SERVICE_UNAVAILABLE' })
  })
})
