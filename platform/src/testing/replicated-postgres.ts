import { startMovableLine } from './movable-line.ts'
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts'
import { startStandby } from './standby-postgres.ts'

/** `failOver`: the primary fails like a machine, and the replica replaces it at the same address. */
export type ReplicatedPostgres = OwnPostgres & { failOver: () => Promise<void> }

/** A PostgreSQL server with a synchronous streaming replica, behind one address. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const primary = await startOwnPostgres()
  const standby = await startStandby(primary)
  const line = await startMovableLine(primary.port)
  const url = new URL(primary.url)
  url.port = String(line.port)
  return {
    ...primary,
    port: line.port,
    url: url.href,
    failOver: async () => {
      await primary.crash()
      await standby.promote()
      line.leadTo(standby.port)
    },
    remove: async () => {
      await line.stop()
      await standby.remove()
      await primary.remove()
    },
  }
}
