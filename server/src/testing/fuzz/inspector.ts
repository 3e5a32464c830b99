import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

import { z } from 'zod'

/** A server at rest collects its garbage after about 8 s, which gives pages back that other collections keep. */
const RESTS_MS = 20_000

const Targets = z.array(z.object({ webSocketDebuggerUrl: z.string() }))
const Usage = z.object({ rss: z.number(), heapTotal: z.number(), heapUsed: z.number(), external: z.number() })
const Evaluated = z.object({ result: z.object({ result: z.object({ value: z.string() }) }) })

/** The memory of a process whose inspector listens on this port, in bytes, as it is. */
export async function memoryNow(port: number): Promise<z.output<typeof Usage>> {
  return await inspect(port, usage)
}

/** The same of a server that has come to rest, after garbage collection. */
export async function memoryOf(port: number): Promise<z.output<typeof Usage>> {
  return await inspect(port, async (ask) => {
    // Native memory behind handles is freed only by a second collection.
    await ask('HeapProfiler.collectGarbage')
    await pause(RESTS_MS)
    await ask('HeapProfiler.collectGarbage')
    return await usage(ask)
  })
}

type Ask = (method: string, params?: object) => Promise<unknown>

async function usage(ask: Ask): Promise<z.output<typeof Usage>> {
  const expression = 'JSON.stringify(process.memoryUsage())'
  const { result } = Evaluated.parse(await ask('Runtime.evaluate', { expression }))
  return Usage.parse(JSON.parse(result.result.value))
}

async function inspect<Result>(port: number, use: (ask: Ask) => Promise<Result>): Promise<Result> {
  const [target] = Targets.parse(await (await fetch(`http://127.0.0.1:${port}/json/list`)).json())
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await once(socket, 'open')
  let sent = 0
  const ask: Ask = async (method, params = {}) => {
    const id = (sent += 1)
    socket.send(JSON.stringify({ id, method, params }))
    for (;;) {
      const [event] = (await once(socket, 'message')) as { data: string }[]
      const message = JSON.parse(event?.data ?? '{}') as { id?: number }
      if (message.id === id) return message
    }
  }
  try {
    return await use(ask)
  } finally {
    socket.close()
  }
}
