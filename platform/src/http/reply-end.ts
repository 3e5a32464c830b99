import type { ServerResponse } from 'node:http'

/** The replies that go on after `node:http` has closed them, each with those who wait for its end. */
const lasting = new WeakMap<ServerResponse, (() => void)[]>()

/** Says, before the response emits `close`, that its reply goes on. Returns the function to call at its end. */
export function letLast(response: ServerResponse): () => void {
  const waiting: (() => void)[] = []
  lasting.set(response, waiting)
  return () => {
    for (const listener of waiting) listener()
  }
}

/**
 * Calls `listener` when the reply has ended: at once, or when the event stream ends that it has become. To be called when the
 * response emits `close`. For thousands of hours-long streams the listener must not hold the request or the reply.
 */
export function whenReplyEnds(response: ServerResponse, listener: () => void): void {
  const waiting = lasting.get(response)
  if (waiting) waiting.push(listener)
  else listener()
}
