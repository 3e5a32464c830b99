import { z } from 'zod'

import { listDevices as listRows } from '../devices/device-store.ts'
import { presentDevice } from '../devices/present-device.ts'
import { authorize } from '../tokens/authorize.ts'
import * as field from '../wire/fields.ts'
import { operation } from '../wire/operation.ts'
import { readPageToken, toPageToken } from '../wire/page-token.ts'
import type { VerifyPorts } from '../base/ports.ts'

const PAGE = 60

const ListDevices = z.object({
  AccessToken: field.token,
  Limit: field.limit(PAGE).optional(),
  PaginationToken: field.pageToken.optional(),
})

/** The signed-in user's devices, at most 60 at a time (identity.md 2.11). */
export const listDevices = operation(ListDevices, async (pool: VerifyPorts, input) => {
  const { user } = await authorize(pool, input.AccessToken)
  const limit = input.Limit === undefined || input.Limit === 0 ? PAGE : input.Limit
  const after = readPageToken(input.PaginationToken)
  const rows = await listRows(pool.database.read, user.sub, { after, limit: limit + 1 })
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    Devices: rows.slice(0, limit).map(presentDevice),
    ...(last && { PaginationToken: toPageToken(last.device_key) }),
  }
})
