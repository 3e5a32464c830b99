import { localEventBus } from '@marquee/platform/events/bus'
import { noRateLimiter } from '@marquee/platform/limits/rate-limiter'
import { systemRandom } from '@marquee/platform/runtime/random'

import { addressKey, imageNameKey, linkKey, pushKey, unsubscribeKey, webhookKey } from '../master-keys.ts'
import type { Ports } from '../ports.ts'
import { testAccounts } from './test-accounts.ts'
import { testClock } from './test-clock.ts'

export const PUBLIC_URL = 'http://marquee.test'

/** The ports of the app that need no database, folder or thread. */
export const testPorts = (masterKey: Buffer) =>
  ({
    clock: testClock,
    random: systemRandom,
    imageNameKey: imageNameKey(masterKey),
    addressKey: addressKey(masterKey),
    webhookKeys: [webhookKey(masterKey)],
    linkKeys: [linkKey(masterKey)],
    pushKeys: [pushKey(masterKey)],
    unsubscribeKeys: [unsubscribeKey(masterKey)],
    pushSubject: 'mailto:operator@marquee.test',
    setup: {
      setupCode: 'the-setup-code',
      mailTransport: { deliver: async () => undefined },
      hasMailServer: true,
    },
    bus: localEventBus(),
    limiter: noRateLimiter,
    accounts: testAccounts,
    allowGuests: false,
    publicUrl: PUBLIC_URL,
    // Only tests about posters fetch them.
    remotePosters: 'direct',
    webRoot: undefined,
  }) satisfies Partial<Ports>
