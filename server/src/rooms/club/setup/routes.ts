import type { FastifyRequest } from 'fastify'

import type { Handlers } from '../people/service.ts'
import { admitToSetup, createFirstAccount, sendTestMail, type SetupPorts } from './service.ts'

/** The first visit to an installation without an account. */
export function setupHandlers(ports: SetupPorts & { publicUrl: string }) {
  const admit = async (request: FastifyRequest, { code }: { code: string }) =>
    await admitToSetup(ports, { code, isLocal: isLocal(request, ports.publicUrl) })

  return {
    checkSetup: async ({ request, body }) => {
      await admit(request, body)
    },
    sendTestMail: async ({ request, body }) => {
      await admit(request, body)
      return await sendTestMail(ports, body)
    },
    createFirstAccount: async ({ request, body }) => await createFirstAccount(await admit(request, body), body),
  } satisfies Partial<Handlers>
}

/** Apart from `X-…`, which no browser sends by itself. */
const OF_PROXIES = ['forwarded', 'via', 'cdn-loop', 'max-forwards', 'proxy-connection', 'true-client-ip', 'cf-ray']
const LOOPBACK_ADDRESS = /^(?:::ffff:)?127\.|^::1$/u
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u

/**
 * Whether the caller uses a browser on the machine of the server. Everything must say so: a proxy connects from there, too,
 * and may add no header. It often speaks HTTP/1.0 or gives another Host, and passes on what the browser says about the page.
 */
function isLocal({ raw, socket, headers, host }: FastifyRequest, publicUrl: string): boolean {
  if (raw.httpVersion === '1.0') return false
  if (Object.keys(headers).some((name) => name.startsWith('x-') || OF_PROXIES.includes(name))) return false
  if (!LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '')) return false
  if (![publicUrl, `http://${host}`].every((url) => LOOPBACK_HOST.test(URL.parse(url)?.hostname ?? ''))) return false
  const { origin, referer, 'sec-fetch-site': site = 'same-origin' } = headers
  const pages = [origin, referer].filter((page) => page !== undefined)
  return site === 'same-origin' && pages.every((page) => URL.parse(page)?.origin === `http://${host}`)
}
