import type { Random } from '@marquee/platform/runtime/random'
import { SettingsError } from '@marquee/platform/runtime/settings'

import { createMailBudget } from './base/mails/mail-budget.ts'
import type { Call, Pool, Provider } from './base/ports.ts'
import { createKeyring, withLastingKeys } from './base/keys/keyring.ts'
import type { ExternalProvider, IdentityPorts, OAuthClient } from './base/settings.ts'
import type { IdentityTables } from './base/tables.ts'
import { identityPoolOf } from './flows/identity-pool/identity-pool.ts'
import { openLastingKeys } from './flows/upkeep/lasting-keys.ts'
import { relyingPartyOf } from './parts/passkeys/webauthn.ts'
import { createEndedSessions } from './parts/tokens/ended-sessions.ts'
import { openSigningKeys } from './parts/tokens/signing-keys.ts'
import { keepPoolIds } from './pool-store.ts'

/** Amazon waits as long for its triggers. */
const CUSTOM_TIMEOUT_MS = 5000

/**
 * Opens the user pool of this database. Its ids and first signing keys are made at the first start; processes that
 * start concurrently use the same ones.
 */
export async function openPool(ports: IdentityPorts): Promise<Omit<Pool, keyof Call>> {
  const { clock, random, logger, mail, limiter, productName } = ports
  const publicUrl = ports.publicUrl.replace(/\/+$/u, '')
  const database = ports.database.withTables<IdentityTables>()
  const masterKeys = createKeyring(ports.masterKey, ports.previousMasterKeys)
  const made = { ...newPoolIds(random), now: clock.now().toISOString() }
  const { userPoolId: id, clientId } = await database.transaction(async (trx) => await keepPoolIds(trx, made))
  refuseOwnClient(ports.oauthClients ?? [], clientId)
  const lasting = await openLastingKeys({ database, keyring: masterKeys, random, clock, id })
  const keyring = withLastingKeys(masterKeys, lasting)
  return {
    id,
    name: poolNameOf(id),
    clientId,
    issuer: `${publicUrl}/identity/${id}`,
    publicUrl,
    external: await openExternal(ports.externalProvider, publicUrl),
    oauthClients: ports.oauthClients ?? [],
    mfa: ports.mfa ?? 'optional',
    verification: ports.verification ?? 'code',
    registration: ports.registration ?? { kind: 'open' },
    tracksDevices: ports.deviceTracking === 'on',
    customChallenges: ports.customChallenges,
    customTimeoutMs: ports.customTimeoutMs ?? CUSTOM_TIMEOUT_MS,
    passkeys: ports.passkeys !== 'off',
    relyingParty: relyingPartyOf(ports.publicUrl),
    adminKey: ports.adminKey,
    identityPool: ports.identityPool && identityPoolOf({ keyring, id }, ports.identityPool),
    onUserConfirmed: ports.onUserConfirmed ?? (async () => await Promise.resolve(ADMITTED)),
    onUserDeleted: ports.onUserDeleted ?? (async () => await Promise.resolve(() => undefined)),
    onSessionsEnded: ports.onSessionsEnded ?? (async () => await Promise.resolve()),
    onSignIn: ports.onSignIn ?? (() => undefined),
    languageOf: ports.languageOf ?? (async () => await Promise.resolve(undefined)),
    productName,
    database,
    clock,
    random,
    mail,
    limiter,
    mailBudget: createMailBudget({ limiter, clock, random, logger, onNearlySpent: ports.onMailBudgetNearlySpent }),
    logger,
    keyring,
    signingKeys: await openSigningKeys({ database, keyring, random, clock, id }),
    endedSessions: createEndedSessions({ clock, database, bus: ports.bus }),
  }
}

const ADMITTED = { isAdmitted: true, afterCommit: () => undefined }

/** Tokens of a tool with the id of Marquee's own client would be valid for Marquee. */
function refuseOwnClient(tools: readonly OAuthClient[], clientId: string): void {
  if (tools.every(({ id }) => id !== clientId)) return
  const mistake = `OAUTH_CLIENTS: ${clientId} is the client id of Marquee itself: choose another one for the tool`
  throw new SettingsError(`These settings are wrong:\n  ${mistake}`)
}

/** The library is loaded only if a provider is configured. */
async function openExternal(settings: ExternalProvider | undefined, publicUrl: string): Promise<Provider | undefined> {
  if (!settings) return undefined
  const { openProvider } = await import('./flows/external/provider.ts')
  return openProvider(settings, publicUrl)
}

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LOWER_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Ids in Amazon's form, which clients check: `us-east-1_` plus 9 characters, and a client id of 26 characters. */
export function newPoolIds(random: Random): { userPoolId: string; clientId: string } {
  return {
    userPoolId: `us-east-1_${characters(random, LETTERS_AND_DIGITS, 9)}`,
    clientId: characters(random, LOWER_AND_DIGITS, 26),
  }
}

/** The part of the pool id after the underscore: SRP's pool name. */
export function poolNameOf(userPoolId: string): string {
  return userPoolId.slice(userPoolId.indexOf('_') + 1)
}

function characters(random: Random, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(random.below(alphabet.length))).join('')
}
