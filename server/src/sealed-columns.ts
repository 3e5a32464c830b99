import type { KeyObject } from 'node:crypto'

import { SEALED_COLUMNS } from '@marquee/identity'
import type { Database } from '@marquee/platform/database/database'
import type { KeySet } from '@marquee/platform/runtime/key-file'
import type { Logger } from '@marquee/platform/runtime/logger'
import type { Random } from '@marquee/platform/runtime/random'
import {
  describeUnopened,
  type KeyedColumn,
  nameOf,
  resealColumns,
  type SealedColumn,
} from '@marquee/platform/sealed/reseal'

import { mediaServerKey, pushKey, webhookKey } from './master-keys.ts'
import { SEALED_LINKS } from './rooms/movies/media-links/service.ts'
import { SEALED_SERVERS } from './rooms/movies/media-servers/service.ts'
import { SEALED_REQUEST_SERVERS } from './rooms/movies/movie-requests/service.ts'
import { SEALED_DEVICES, SEALED_KEY_PAIR } from './rooms/news/push/service.ts'
import { SEALED_WEBHOOKS } from './rooms/news/webhooks/service.ts'

/** Every encrypted column of the product, with how its key follows from the master key. */
const OF_PRODUCT: readonly (SealedColumn & { readonly keyFrom: (masterKey: Uint8Array) => KeyObject })[] = [
  { ...SEALED_WEBHOOKS, keyFrom: webhookKey },
  { ...SEALED_DEVICES, keyFrom: pushKey },
  { ...SEALED_KEY_PAIR, keyFrom: pushKey },
  { ...SEALED_SERVERS, keyFrom: mediaServerKey },
  { ...SEALED_LINKS, keyFrom: mediaServerKey },
  { ...SEALED_REQUEST_SERVERS, keyFrom: mediaServerKey },
]

/** Every encrypted column of product and user pool, as `table.column`. */
export const ALL_SEALED: readonly string[] = [...OF_PRODUCT.map(nameOf), ...SEALED_COLUMNS]

/** The encrypted columns of the product with their keys. */
export function sealedColumns({ current, previous }: KeySet): KeyedColumn[] {
  return OF_PRODUCT.map((column) => ({ ...column, keys: [current, ...previous].map(column.keyFrom) }))
}

type Ports = { readonly database: Database<unknown>; readonly random: Random; readonly logger: Logger }

/**
 * After a change of the master key, encrypts the values of the product again in the background. Returns the function that
 * ends it.
 */
export function resealAtStart(ports: Ports, masterKeys: KeySet): () => Promise<void> {
  const { logger } = ports
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    const { resealed, unopened } = await resealColumns(ports, sealedColumns(masterKeys), stopping.signal)
    if (resealed > 0) logger.info({ values: resealed }, 'values were encrypted again with the current master key')
    for (const sentence of describeUnopened(unopened)) logger.warn(sentence)
  }
  const running =
    masterKeys.previous.length === 0
      ? Promise.resolve()
      : run().catch((error: unknown) => {
          logger.error({ err: error }, 'values could not be encrypted again with the current master key')
        })
  return async () => {
    stopping.abort()
    await running
  }
}
