import type { LiveEvent } from '@marquee/contract/live-events'

/** An event stream as an answer of the fake API. `tell` sends an event. */
export function aLiveStream() {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (opened) => {
      controller = opened
    },
  })
  const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  return {
    response,
    tell: (event: LiveEvent) => controller?.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`)),
  }
}
