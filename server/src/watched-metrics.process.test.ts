import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

import { freePort } from '@marquee/platform/testing/free-port'
import { startRedis } from '@marquee/platform/testing/redis-server'

import { startServer } from './testing/server-process.ts'
import { signUp } from './testing/sign-up.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy')
/** Of Prometheus itself. */
const OWN_METRICS = ['up']
const OWN_LABELS = ['instance', 'job']
const KEYWORDS = new Set(['and', 'or', 'unless', 'offset', 'bool'])

const Dashboard = z.object({
  panels: z.array(z.object({ id: z.int(), targets: z.array(z.object({ expr: z.string() })).default([]) })),
})
const Text = z.string().min(1)
const Alerts = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: Text,
      rules: z.array(
        z.strictObject({
          alert: Text,
          expr: Text,
          for: z
            .string()
            .regex(/^\d+[mh]$/u)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['warning', 'critical']) }),
          annotations: z.strictObject({ summary: Text, description: Text }),
        }),
      ),
    }),
  ),
})

let shown: string[]
let alerted: string[]
let panelIds: number[]
/** The names of all series of a server that uses everything, and the metrics that they belong to. */
let series: Set<string>
let metrics: string[]
let labels: Set<string>

beforeAll(async () => {
  const dashboard = Dashboard.parse(JSON.parse(await readFile(join(DEPLOY, 'grafana/marquee.json'), 'utf8')))
  const alerts = Alerts.parse(parse(await readFile(join(DEPLOY, 'prometheus/alerts.yml'), 'utf8')))
  panelIds = dashboard.panels.map(({ id }) => id)
  shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  alerted = alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))
  const text = await metricsOfServer()
  metrics = [...text.matchAll(/^# TYPE (\S+)/gmu)].map(([, name = '']) => name)
  series = new Set([...metrics, ...[...text.matchAll(/^([a-z]\w*)/gmu)].map(([, name = '']) => name)])
  labels = new Set([...text.matchAll(/[{,](\w+)="/gu)].map(([, label = '']) => label))
})

async function metricsOfServer(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'marquee-watched-'))
  const [redis, METRICS_PORT] = [await startRedis(), String(await freePort())]
  const server = await startServer({
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    METRICS_PORT,
    REDIS_URL: redis.url,
    MEDIA_SERVERS: 'private',
    BACKUP_EVERY: '1d',
  })
  await signUp({ url: server.url, dataDir, name: 'ana' })
  const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
  await server.end('SIGTERM')
  await redis.kill()
  await rm(dataDir, { recursive: true, force: true })
  return text
}

/** The names of series in an expression of Prometheus. */
function seriesIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/gu, '')
    .replaceAll(/\b(?:by|without)\s*\([^)]*\)/gu, '')
    .replaceAll(/\b\d+[a-z]\b/gu, '')
  return (bare.match(/\b[a-z_]\w*\b(?!\s*\()/gu) ?? []).filter((word) => !KEYWORDS.has(word))
}

/** The names of labels in an expression of Prometheus. */
function labelsIn(expression: string): string[] {
  const matched = [...expression.matchAll(/[{,]\s*(\w+)\s*(?:=~|!=|!~|=)/gu)].map(([, label = '']) => label)
  const grouped = [...expression.matchAll(/\b(?:by|without)\s*\(([^)]*)\)/gu)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  )
  return [...matched, ...grouped]
}

test('a server reports each metric of the dashboard and the alerts', () => {
  const named = [...shown, ...alerted].flatMap(seriesIn)

  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((name) => !series.has(name) && !OWN_METRICS.includes(name))).toEqual([])
})

test('a server reports each label of the dashboard and the alerts', () => {
  const named = [...shown, ...alerted].flatMap(labelsIn)

  expect(named).toContain('status')
  expect(named.filter((label) => !labels.has(label) && !OWN_LABELS.includes(label))).toEqual([])
})

test('the dashboard shows each metric except those of Node itself', () => {
  const named = shown.flatMap(seriesIn)
  const own = metrics.filter((name) => !/^(?:nodejs|process)_/u.test(name))

  expect(own).toContain('backup_age_seconds')
  expect(own.filter((name) => !named.some((one) => one.startsWith(name)))).toEqual([])
})

test('no two panels of the dashboard have the same id', () => {
  expect(new Set(panelIds).size).toBe(panelIds.length)
})
