import type { HeapProfiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'

import { sql } from 'kysely'

import { openPostgres } from '../database/postgres.ts'

/** Half a megabyte each. */
const PAGES = 100

// Reads many rows, and prints how many bytes of them stay after the small collections of garbage: `node kept-rows-process.ts
// URL`. A process of its own, because the collector learns from what a process did before.
const [url = ''] = process.argv.slice(2)
const database = openPostgres(url, { onIdleError: () => undefined })
const session = new Session()
session.connect()
await session.post('HeapProfiler.startSampling', { samplingInterval: 4_096, includeObjectsCollectedByMajorGC: true })
for (let page = 0; page < PAGES; page += 1) {
  await sql`select n, repeat('x', 1000) as text from generate_series(1, 500) as n`.execute(database.read)
}
const { profile } = await session.post('HeapProfiler.stopSampling')
session.disconnect()
await database.close()
console.log(bytesBelow(profile.head))

function bytesBelow({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number {
  return children.reduce((sum, child) => sum + bytesBelow(child), selfSize)
}
