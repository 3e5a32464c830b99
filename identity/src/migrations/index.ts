import type { Migrations } from '@marquee/platform/database/migrate'

import { userPool } from './0001-user-pool.ts'
import { factors } from './0002-factors.ts'
import { keys } from './0003-keys.ts'
import { devicesAndPasskeys } from './0004-devices-and-passkeys.ts'
import { newestPending } from './0005-newest-pending.ts'
import { securityEvents } from './0006-security-events.ts'
import { oauth } from './0008-oauth.ts'
import { externalLinks } from './0009-external-links.ts'
import { runsOfEvents } from './0010-runs-of-events.ts'
import { endedSessions } from './0011-ended-sessions.ts'

/** The migrations of the user pool, in order. */
export const identityMigrations: Migrations = {
  '0001_user_pool': userPool,
  '0002_factors': factors,
  '0003_keys': keys,
  '0004_devices_and_passkeys': devicesAndPasskeys,
  '0005_newest_pending': newestPending,
  '0006_security_events': securityEvents,
  '0008_oauth': oauth,
  '0009_external_links': externalLinks,
  '0010_runs_of_events': runsOfEvents,
  '0011_ended_sessions': endedSessions,
}
