import { freePort } from '@marquee/platform/testing/free-port'
import { type OwnPostgres, startOwnPostgres } from '@marquee/platform/testing/own-postgres'
import { type RedisServer, startRedis } from '@marquee/platform/testing/redis-server'
import { startRoundRobin } from '@marquee/platform/testing/round-robin'
import { S3_BUCKET, S3_KEYS, type S3Server, startS3 } from '@marquee/platform/testing/s3-server'

import { type ServerProcess, startServer } from './server-process.ts'

/** One of several processes; `metricsUrl` is the URL of its metrics. */
type ScaledProcess = ServerProcess & { readonly metricsUrl: string }

export type Scaled = {
  /** The URL that users open: requests are spread over both processes. */
  readonly url: string
  /** The two processes, each with its own URL. */
  readonly processes: readonly ScaledProcess[]
  /** Restarts the process of this index after it ended. */
  start: (place: number) => Promise<ScaledProcess>
  readonly postgres: OwnPostgres
  readonly redis: RedisServer
  readonly s3: S3Server
  /** Kills both processes at once, like a crash, and restarts them. */
  killAndRestart: () => Promise<void>
  stop: () => Promise<void>
}

/**
 * The scaled set-up: two real server processes on PostgreSQL, Redis and S3, behind a load balancer that spreads
 * requests over both.
 */
export async function startScaled(given: {
  dataDir: string
  /** The URL of the database, if it is not one of this set-up. */
  postgres?: OwnPostgres
  port?: number
  settings?: Readonly<Record<string, string>>
  /** Gets the output of the processes. */
  print?: (text: string) => void
}): Promise<Scaled> {
  const closers: (() => Promise<unknown>)[] = []
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    const postgres = given.postgres ?? (await startOwnPostgres())
    closers.push(postgres.remove)
    const redis = await startRedis()
    closers.push(redis.kill)
    const s3 = await startS3()
    closers.push(s3.stop)
    const port = given.port ?? (await freePort())
    const ports = [await freePort(), await freePort()]
    const metricsPorts = [await freePort(), await freePort()]
    const url = `http://localhost:${port}`
    const settings = {
      ...given.settings,
      PUBLIC_URL: url,
      DATA_DIR: given.dataDir,
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      S3_BUCKET,
      S3_ENDPOINT: s3.url,
      S3_ACCESS_KEY_ID: S3_KEYS.id,
      S3_SECRET_ACCESS_KEY: S3_KEYS.secret,
      TRUSTED_PROXY: 'loopback',
    }
    const processes: ScaledProcess[] = []
    const start = async (place: number): Promise<ScaledProcess> => {
      const [own, metrics] = [ports[place], metricsPorts[place]]
      const places = { PORT: String(own), METRICS_PORT: String(metrics) }
      const started = await startServer({ ...settings, ...places }, given.print)
      const urls = { url: `http://127.0.0.1:${own}`, metricsUrl: `http://127.0.0.1:${metrics}/metrics` }
      return (processes[place] = { ...started, ...urls })
    }
    const startBoth = async (): Promise<void> => {
      processes.length = 0
      // One that started is stopped even if the other one failed.
      const ends = await Promise.allSettled(ports.map(async (_own, place) => await start(place)))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    }
    const endBoth = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
      // A process that did not start left its index empty.
      await Promise.all(processes.map(async (one: ScaledProcess | undefined) => await one?.end(signal)))
    }
    closers.push(async () => {
      await endBoth('SIGTERM')
    })
    await startBoth()
    const front = await startRoundRobin(port, ports)
    closers.push(front.stop)
    return {
      url,
      processes,
      start,
      postgres,
      redis,
      s3,
      killAndRestart: async () => {
        await endBoth('SIGKILL')
        await startBoth()
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
