import { expect } from '@playwright/test'

import type { RunningProcess } from './server.ts'

const REQUESTS = /^http_request_duration_seconds_count\{.*\} (?<count>\d+)$/gmu
/** How many of all each of two must have answered at least; a few more or less lie in how they were counted. */
const LEAST_SHARE = 0.4
const A_FEW = 5

/** Each of the processes, if there are two, has answered its share of the requests. */
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
