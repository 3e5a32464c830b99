import type { FastifyRequest } from 'fastify'

import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'

import type { User } from '../profiles/service.ts'
import { admitToSetup, createFirstAccount, sendTestMail, type SetupPorts } from './service.ts'

/** The first visit to an installation without an account. */
export function setupRoutes(route: Route<User>, ports: SetupPorts & { publicUrl: string }): void {
  const admit = async (request: FastifyRequest, { code }: { code: string }) =>
    await admitToSetup(ports, { code, isLocal: isLocal(request, ports.publicUrl) })

  route(ENDPOINTS.checkSetup, async ({ request, body }) => {
    await admit(request, body)
  })

  route(ENDPOINTS.sendTestMail, async ({ request, body }) => {
    await admit(request, body)
    return await sendTestMail(ports, body)
  })

  route(ENDPOINTS.createFirstAccount, async ({ request, body }) => {
    await createFirstAccount(await admit(request, body), body)
  })
}

const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']
const LOOPBACK_ADDRESS = /^(?:::ffff:)?127\.|^::1$/u
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u

/**
 * Whether the caller uses a browser on the machine of the server. A proxy connects from there, too: it adds a header, or
 * the installation has a public URL. A foreign page whose name leads to this machine has another Host.
 */
function isLocal({ socket, headers, host }: FastifyRequest, publicUrl: string): boolean {
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false
  if (!LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '')) return false
  return [publicUrl, `http://${host}`].every((url) => LOOPBACK_HOST.test(URL.parse(url)?.hostname ?? ''))
}
