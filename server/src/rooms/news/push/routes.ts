import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { Route } from '@marquee/platform/http/mount'

import type { Principal } from '../../club/people/service.ts'
import {
  getPushKey,
  listPushDevices,
  type PushPorts,
  removePushDevice,
  renewPushDevice,
  savePushDevice,
} from './service.ts'

/** The devices of a user that get push messages. */
export function pushRoutes(route: Route<Principal>, ports: PushPorts): void {
  route(ENDPOINTS.getPushKey, async () => ({ publicKey: await getPushKey(ports) }))

  route(ENDPOINTS.listPushDevices, async ({ user }) => ({ devices: await listPushDevices(ports, user) }))

  route(
    ENDPOINTS.savePushDevice,
    async ({ user, body, request }) => await savePushDevice(ports, user, body, request.headers['user-agent'] ?? ''),
  )

  route(
    ENDPOINTS.renewPushDevice,
    async ({ body: { renewal, ...target } }) => await renewPushDevice(ports, renewal, target),
  )

  route(ENDPOINTS.removePushDevice, async ({ user, params }) => {
    await removePushDevice(ports, user, params.deviceId)
  })
}
