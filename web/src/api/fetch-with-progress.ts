/** Called with the share of the request that has been sent, from 0 to 1. */
export type OnProgress = (sent: number) => void

type Request = { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal }

const WITHOUT_BODY = new Set([204, 205, 304])

/**
 * Like `fetch`, but reports upload progress. Rejects with a TypeError without an answer, and with the signal's reason
 * when aborted.
 */
export async function fetchWithProgress(url: string, request: Request, onProgress: OnProgress): Promise<Response> {
  const { method, headers, body, signal } = request
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest()
    const stop = () => sending.abort()
    sending.open(method, url)
    for (const [name, value] of Object.entries(headers)) sending.setRequestHeader(name, value)
    sending.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total)
    })
    sending.addEventListener('load', () => {
      const text = WITHOUT_BODY.has(sending.status) ? null : sending.responseText
      resolve(new Response(text, { status: sending.status }))
    })
    sending.addEventListener('error', () => reject(new TypeError('Failed to send the request')))
    sending.addEventListener('abort', () => reject(signal.reason as Error))
    sending.addEventListener('loadend', () => signal.removeEventListener('abort', stop))
    if (signal.aborted) {
      reject(signal.reason as Error)
      return
    }
    signal.addEventListener('abort', stop, { once: true })
    sending.send(body)
  })
}
