import type { ServerResponse } from 'node:http'

/** The replies that continue after `node:http` has closed them, each with the listeners for its end. */
const lasting = new WeakMap<ServerResponse, (() => void)[]>()

/** Declares, before the response emits `close`, that its reply continues. Returns the function to call at its end. */
export function letLast(response: ServerResponse): () => void {
  const waiting: (() => void)[] = []
  lasting.set(response, waiting)
  return () => {
    for (const listener of waiting) listener()
  }
}

/**
 * Calls `listener` when the reply has ended: at once, or, if it has become an event stream, when the stream ends. To be
 * called when the response emits `close`. Streams last for hours and there are thousands, so the listener must not hold the
 * request or the reply.
 */
export function whenReplyEnds(response: ServerResponse, listener: () => void): void {
  const waiting = lasting.get(response)
  if (waiting) waiting.push(listener)
  else listener()
}
