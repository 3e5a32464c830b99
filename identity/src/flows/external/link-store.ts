import type { Cleanup, Db, ExternalLinkRow } from '../../base/tables.ts'

/** The account linked to a user of the provider, identified by `ownerKey`. */
export async function findOwner(db: Db, ownerKey: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('identity_external_owner')
    .select('sub')
    .where('owner_key', '=', ownerKey)
    .executeTakeFirst()
  return row?.sub
}

export async function findLink(db: Db, sub: string): Promise<ExternalLinkRow | undefined> {
  return await db.selectFrom('identity_external_link').selectAll().where('sub', '=', sub).executeTakeFirst()
}

/** Links an account to a user of the provider; false when either has a link. The keys settle races. */
export async function addLink(trx: Db, link: ExternalLinkRow): Promise<boolean> {
  const owner = await trx
    .insertInto('identity_external_owner')
    .values({ owner_key: link.owner_key, sub: link.sub })
    .onConflict((conflict) => conflict.column('owner_key').doNothing())
    .executeTakeFirstOrThrow()
  if (owner.numInsertedOrUpdatedRows !== 1n) return false
  const added = await trx
    .insertInto('identity_external_link')
    .values(link)
    .onConflict((conflict) => conflict.column('sub').doNothing())
    .executeTakeFirstOrThrow()
  return added.numInsertedOrUpdatedRows === 1n
}

/** Removes the links of accounts; returns how many there were. */
export async function removeLinksOf(trx: Db, subs: readonly string[]): Promise<number> {
  const removed = await trx
    .deleteFrom('identity_external_link')
    .where('sub', 'in', subs)
    .returning('owner_key')
    .execute()
  const keys = removed.map((row) => row.owner_key)
  if (keys.length > 0) {
    await trx.deleteFrom('identity_external_owner').where('owner_key', 'in', keys).where('sub', 'in', subs).execute()
  }
  return removed.length
}

export const linkCleanup: Cleanup = {
  removeUsers: async (trx, { subs }) => {
    await removeLinksOf(trx, subs)
  },
}
