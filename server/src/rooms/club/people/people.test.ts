import { expect, test } from 'vitest'

import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../../../migrations/index.ts'
import {
  chooseWatchlist,
  findChosenWatchlist,
  findLanguage,
  forgetPerson,
  lockPerson,
  saveLanguage,
  unchooseWatchlist,
} from './service.ts'

const ana = { userId: 'id-ana', username: 'Ana' }
const ben = { userId: 'id-ben', username: 'Ben' }

anyDatabase({ product: productMigrations }, (theDatabase) => {
  test('a user keeps the last chosen watchlist until they leave it', async () => {
    const { transaction, read } = theDatabase()
    await transaction(async (trx) => {
      for (const user of [ana, ben]) {
        await chooseWatchlist(trx, user, 'w1')
        await chooseWatchlist(trx, user, 'w2')
      }
      await unchooseWatchlist(trx, [ana.userId, ben.userId], 'w1')
      await unchooseWatchlist(trx, [ben.userId], 'w2')
    })
    expect(await findChosenWatchlist(read, ana.userId)).toBe('w2')
    expect(await findChosenWatchlist(read, ben.userId)).toBeUndefined()
  })

  test('a user’s language is removed with their account', async () => {
    const { transaction, read } = theDatabase()
    await transaction(async (trx) => {
      await lockPerson(trx, ana)
      await saveLanguage(trx, ana.userId, 'pt-BR')
    })
    expect(await findLanguage(read, ana.userId)).toBe('pt-BR')
    await transaction(async (trx) => await forgetPerson(trx, ana.userId))
    expect(await findLanguage(read, ana.userId)).toBeUndefined()
  })
})
