import { test as base } from './journey.ts'
import { type RunningServer, startServer } from './server.ts'

type OwnServer = {
  /** Starts a server with these settings. It stops after the test. */
  startWith: (settings: Readonly<Record<string, string>>) => Promise<RunningServer>
}

/** A journey that starts its own servers. */
export const test = base.extend<OwnServer>({
  startWith: async ({ arrangement }, use) => {
    const started: RunningServer[] = []
    await use(async (settings) => {
      const server = await startServer(arrangement, settings)
      started.push(server)
      return server
    })
    for (const server of started) await server.stop()
  },
})
