import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

import { z } from 'zod'

const SETTLES_MS = 2_000

const Targets = z.array(z.object({ webSocketDebuggerUrl: z.string() }))
const Usage = z.object({ rss: z.number(), heapUsed: z.number(), external: z.number() })
const Evaluated = z.object({ result: z.object({ result: z.object({ value: z.string() }) }) })

/** The memory of a process whose inspector listens on this port, in bytes, after garbage collection. */
export async function memoryOf(port: number): Promise<z.output<typeof Usage>> {
  const [target] = Targets.parse(await (await fetch(`http://127.0.0.1:${port}/json/list`)).json())
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await once(socket, 'open')
  const ask = async (id: number, method: string, params: object = {}): Promise<unknown> => {
    socket.send(JSON.stringify({ id, method, params }))
    for (;;) {
      const [event] = (await once(socket, 'message')) as { data: string }[]
      const message = JSON.parse(event?.data ?? '{}') as { id?: number }
      if (message.id === id) return message
    }
  }
  // Native memory behind handles is freed only by a second collection.
  await ask(1, 'HeapProfiler.collectGarbage')
  await pause(SETTLES_MS)
  await ask(2, 'HeapProfiler.collectGarbage')
  const expression = 'JSON.stringify(process.memoryUsage())'
  const { result } = Evaluated.parse(await ask(3, 'Runtime.evaluate', { expression }))
  socket.close()
  return Usage.parse(JSON.parse(result.result.value))
}
