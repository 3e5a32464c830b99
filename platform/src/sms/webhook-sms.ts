import type { SmsTransport } from './sms-message.ts'

const PATIENCE_MS = 10_000

/**
 * Sends text messages to the operator's gateway: POST of `{"to", "text"}` as JSON. A status other than 2xx is a failure.
 * The `Idempotency-Key` is the same when a delivery is retried.
 */
export function webhookSms({ url }: { url: string }): SmsTransport {
  return {
    deliver: async (id, { to, text }) => {
      const reply = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': id },
        body: JSON.stringify({ to, text }),
        redirect: 'error',
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      await reply.body?.cancel()
      if (!reply.ok) throw new Error(`The SMS gateway answered ${reply.status}`)
    },
  }
}
