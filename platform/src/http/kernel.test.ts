import { pino } from 'pino'
import { expect, test } from 'vitest'

import { createMetrics } from '../metrics/metrics.ts'
import { Outage } from '../runtime/outage.ts'
import { createHttp } from './kernel.ts'
import { HttpProblem } from './problem.ts'

test('a refusal by a busy server is counted and logged as info, and an outage is logged as an error', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const problemFor = (status: number) => ({ type: 'UNAVAILABLE', message: `Status ${status}` })
  const app = createHttp({ logger, bodyLimit: 1_000, problemFor })
  const metrics = createMetrics()
  metrics.observe(app)
  app.get('/busy', () => {
    throw new HttpProblem({ status: 503, ...problemFor(503) })
  })
  app.get('/outage', () => {
    throw new Outage('The disk is full', { of: 'disk' })
  })

  for (let n = 0; n < 3; n += 1) expect((await app.inject('/busy')).statusCode).toBe(503)
  expect((await app.inject('/outage')).statusCode).toBe(503)
  const { text } = await metrics.print()
  await app.close()

  const logged = lines.map((line) => JSON.parse(line) as { level: number; msg: string; err?: unknown })
  expect(logged.map(({ level, msg, err }) => [level, msg, err])).toEqual([
    [30, 'a request was refused because the server is busy', undefined],
    [30, 'a request was refused because the server is busy', undefined],
    [30, 'a request was refused because the server is busy', undefined],
    [50, 'a request met an outage', undefined],
  ])
  expect(text).toMatch(/^requests_refused_total\{route="\/busy"\} 3$/mu)
  expect(text).toMatch(/^outages_met_total\{of="disk"\} 1$/mu)
  expect(text).not.toContain('requests_refused_total{route="/outage"}')
})
