import { expect } from '@playwright/test'

import type { RunningProcess } from './server.ts'

const REQUESTS = /^http_request_duration_seconds_count\{.*\} (?<count>\d+)$/gmu
/** The least share of each of two processes. A few requests are lost in the counting. */
const LEAST_SHARE = 0.4
const A_FEW = 5

/** If there are two processes, each has answered its share of the requests. */
export async function expectEvenShares(processes: readonly RunningProcess[]): Promise<void> {
  const counts = await Promise.all(processes.map(requestsAt))
  const all = counts.reduce((sum, count) => sum + count, 0)
  for (const count of counts) {
    expect(count, `requests of one process, of ${counts.join(' and ')}`).toBeGreaterThan(LEAST_SHARE * all - A_FEW)
  }
}

async function requestsAt({ metricsUrl }: RunningProcess): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text()
  return [...metrics.matchAll(REQUESTS)].reduce((sum, { groups }) => sum + Number(groups?.['count']), 0)
}
