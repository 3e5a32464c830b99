import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { eachDatabase } from '@marquee/platform/testing/each-database'
import { inParts } from '@marquee/platform/database/parts'

import type { CardTables } from '../rooms/movies/cards/card/store.ts'
import { analyze, postgresSteps, sqlitePlan } from '../testing/explain.ts'
import { aCard, aWatchlist } from '../testing/make.ts'
import { startApp } from '../testing/start-app.ts'
import { productMigrations } from './index.ts'

eachDatabase<CardTables>({ product: productMigrations }, (theDatabase) => {
  test('a card is found by its key even if the table statistics are older than its watchlist', async () => {
    const database = theDatabase()
    const app = await startApp(database.withTables())
    const early = await aWatchlist(app)
    const late = await aWatchlist(app)
    await aCard(app, { inside: early.watchlist, by: early.owner, status: 'WATCHED' })
    await app.stop()
    const addCards = async (watchlistId: string) => {
      const card = await database.read.selectFrom('card').selectAll().executeTakeFirstOrThrow()
      const cards = Array.from({ length: 3_000 }, (_, n) => ({ ...card, watchlist_id: watchlistId, id: `card-${n}` }))
      await database.transaction(async (trx) => {
        for (const part of inParts(cards)) await trx.insertInto('card').values(part).execute()
      })
    }
    await addCards(early.watchlist.id)
    await analyze(database.withTables())
    await addCards(late.watchlist.id)

    const { read } = database
    const byKey = sql`select 1 from card where watchlist_id = ${late.watchlist.id} and id = ${'card-7'}`.compile(read)
    const rowsAt = async () => (await postgresSteps(read, byKey)).map(({ rows }) => rows)
    const isSqlite = database.dialect === 'sqlite'

    const found = isSqlite ? await sqlitePlan(read, byKey) : await rowsAt()

    expect(found).toEqual(isSqlite ? ['SEARCH card USING PRIMARY KEY (watchlist_id=? AND id=?)'] : [1])
  })
})
