import { z } from 'zod'

import { refreshSession } from '../tokens/refresh.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import type { EventPorts, Pool, VerifyPorts } from '../base/ports.ts'

type Ports = VerifyPorts & EventPorts & Pick<Pool, 'endedSessions' | 'keyring' | 'tracksDevices'>

const GetTokensFromRefreshToken = z.object({
  ClientId: field.clientId,
  RefreshToken: field.token,
  DeviceKey: field.deviceKey.optional(),
})

/** New id and access token, and a new refresh token in place of the given one (identity.md 5.4). */
export const getTokensFromRefreshToken = operation(GetTokensFromRefreshToken, async (pool: Ports, input) => ({
  AuthenticationResult: await refreshSession(pool, input.RefreshToken, { rotate: true, deviceKey: input.DeviceKey }),
}))
