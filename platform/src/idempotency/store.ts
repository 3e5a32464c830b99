import { type AnyDb, withTables } from '../database/database.ts'
import { prepared } from '../database/prepared.ts'

export type ReplyTables = {
  idempotent_reply: {
    user_id: string
    endpoint: string
    key_hash: Buffer
    request_mac: Buffer
    reply_box: Uint8Array | null
    created_at: string
  }
}

/** The user and the endpoint of a key, and its hash. */
export type KeyRow = { userId: string; endpoint: string; keyHash: Buffer }
export type StoredReply = { requestMac: Uint8Array; replyBox: Uint8Array }

const tables = withTables<ReplyTables>

/**
 * Claims a key for this transaction: true if it is free, or older than `cutoff`. If another transaction has claimed it,
 * this one waits until that ends.
 */
export async function claimKey(
  trx: AnyDb,
  { userId, endpoint, keyHash }: KeyRow,
  { requestMac, now, cutoff }: { requestMac: Buffer; now: string; cutoff: string },
): Promise<boolean> {
  const claimed = await tables(trx)
    .insertInto('idempotent_reply')
    .values({
      user_id: userId,
      endpoint,
      key_hash: keyHash,
      request_mac: requestMac,
      reply_box: null,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'endpoint', 'key_hash'])
        .doUpdateSet({ request_mac: requestMac, reply_box: null, created_at: now })
        .where('idempotent_reply.created_at', '<', cutoff),
    )
    .returning('created_at')
    .executeTakeFirst()
  return claimed !== undefined
}

/** Stores the reply to a claimed key. */
export const saveReply = prepared<KeyRow & { replyBox: Buffer }, unknown>((db, value) =>
  tables(db)
    .updateTable('idempotent_reply')
    .set({ reply_box: value('replyBox') })
    .where('user_id', '=', value('userId'))
    .where('endpoint', '=', value('endpoint'))
    .where('key_hash', '=', value('keyHash')),
)

const reply = prepared<KeyRow & { cutoff: string }, Pick<ReplyTables['idempotent_reply'], 'request_mac' | 'reply_box'>>(
  (db, value) =>
    tables(db)
      .selectFrom('idempotent_reply')
      .select(['request_mac', 'reply_box'])
      .where('user_id', '=', value('userId'))
      .where('endpoint', '=', value('endpoint'))
      .where('key_hash', '=', value('keyHash'))
      .where('created_at', '>=', value('cutoff')),
)

/** The stored reply for this key, unless it is older than `cutoff`. */
export async function findReply(db: AnyDb, key: KeyRow, cutoff: string): Promise<StoredReply | undefined> {
  const [row] = await reply(db, { ...key, cutoff })
  return row?.reply_box ? { requestMac: row.request_mac, replyBox: row.reply_box } : undefined
}

export async function removeReplies(trx: AnyDb, cutoff: string): Promise<void> {
  await tables(trx).deleteFrom('idempotent_reply').where('created_at', '<', cutoff).execute()
}
