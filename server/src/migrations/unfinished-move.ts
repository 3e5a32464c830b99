import type { AnyDb } from '@marquee/platform/database/database'
import { Refusal } from '@marquee/platform/runtime/refusal'

/** The progress of a move. The table exists during a move, and keeps the server from starting. */
export const MOVE_PROGRESS = 'move_progress'

/** Keeps the server from running on incomplete data. */
export class MoveUnfinished extends Refusal {
  override readonly name = 'MoveUnfinished'
  override readonly message =
    'A move into this database has not ended. Run `npm run marquee -- move` again: it continues where it stopped.'
}

/** @throws MoveUnfinished */
export async function refuseUnfinishedMove(db: AnyDb): Promise<void> {
  const tables = await db.introspection.getTables()
  if (tables.some(({ name }) => name === MOVE_PROGRESS)) throw new MoveUnfinished()
}
