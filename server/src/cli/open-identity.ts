import { createIdentity, type Identity } from '@marquee/identity'
import type { Database } from '@marquee/platform/database/database'
import { localRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { mailForServer } from '@marquee/platform/mail/queue'
import { systemClock } from '@marquee/platform/runtime/clock'
import { createLogger } from '@marquee/platform/runtime/logger'
import { systemRandom } from '@marquee/platform/runtime/random'

import { readMasterKeys } from '../master-keys.ts'
import { PRODUCT_NAME } from '../product-name.ts'
import { removePersonAt } from '../remove-person.ts'
import type { Settings } from '../settings.ts'

/** The user pool of an open database, as in the server, but the server sends its mails. */
export async function openIdentity(database: Database<unknown>, settings: Settings): Promise<Identity> {
  const ports = { clock: systemClock, random: systemRandom, logger: createLogger(settings.LOG_LEVEL) }
  const masterKeys = await readMasterKeys(settings, database)
  return await createIdentity({
    ...ports,
    database,
    mail: mailForServer(ports),
    masterKey: masterKeys.current,
    previousMasterKeys: masterKeys.previous,
    limiter: localRateLimiter(),
    onUserDeleted: removePersonAt(systemClock),
    publicUrl: settings.PUBLIC_URL,
    productName: PRODUCT_NAME,
  })
}
