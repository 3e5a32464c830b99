import type { Handlers } from '../../club/people/service.ts'
import {
  getPushKey,
  listPushDevices,
  type PushPorts,
  removePushDevice,
  renewPushDevice,
  savePushDevice,
} from './service.ts'

/** The devices of a user that get push messages. */
export function pushHandlers(ports: PushPorts) {
  return {
    getPushKey: async () => ({ publicKey: await getPushKey(ports) }),
    listPushDevices: async ({ user }) => ({ devices: await listPushDevices(ports, user) }),
    savePushDevice: async ({ user, body, request }) =>
      await savePushDevice(ports, user, body, request.headers['user-agent'] ?? ''),
    renewPushDevice: async ({ body: { renewal, ...target } }) => await renewPushDevice(ports, renewal, target),
    removePushDevice: async ({ user, params }) => await removePushDevice(ports, user, params.deviceId),
  } satisfies Partial<Handlers>
}
