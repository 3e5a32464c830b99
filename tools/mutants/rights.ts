import type { Mutant } from './mutant.ts'

const club = 'server/src/rooms/club'
const nights = 'server/src/rooms/nights/nights'
const links = `${club}/join-links`
const guests = `${nights}/passes/guests.test.ts`
const webhooks = 'server/src/rooms/news/webhooks/webhooks.test.ts'
const mailed = `${links}/mail-invitations.test.ts`
const setup = `${club}/setup/routes.test.ts`
const overtaken = 'identity/src/attacks/overtaken.test.ts'

/** Rights end: with the use of a link, a removal, a hand-over, or on another machine. */
export const RIGHTS: readonly Mutant[] = [
  {
    name: 'a sign-up by a link uses nothing up',
    file: `${links}/reservations.ts`,
    before: 'if (!(await reserveUse(trx, key, now.toISOString()))) return false\n  await insert',
    after: 'await insert',
    tests: [`${links}/reservations.test.ts`],
  },
  {
    name: 'a link that is used up lets another user in',
    file: `${links}/store.ts`,
    before: "    .whereRef('uses', '<', 'max_uses')\n    .returning('invitee_id')",
    after: "    .returning('invitee_id')",
    tests: [`${links}/reservations.test.ts`, `${links}/routes.test.ts`],
  },
  {
    name: 'a mailed link makes an account for another address',
    file: `${links}/reservations.ts`,
    before: 'if (!link || (link.address !== null && link.address !== addressKey(email))) return false',
    after: 'if (!link) return false',
    tests: [`${links}/reservations.test.ts`],
  },
  {
    name: 'the use of an account that is not confirmed is not returned',
    file: `${links}/reservations.ts`,
    before: 'for (const key of keys) await returnUse(trx, key)',
    after: '',
    tests: [`${links}/reservations.test.ts`],
  },
  {
    name: 'an account whose use was returned and taken is confirmed',
    file: `${links}/reservations.ts`,
    before: 'if (isReturned === 1 && !(exists && (await reserveUse(trx, key, at)))) return',
    after: 'if (isReturned === 2) return',
    tests: [`${links}/reservations.test.ts`],
  },
  {
    name: 'a confirmed user does not join by the link of their sign-up',
    file: `${links}/reservations.ts`,
    before: 'await becomeMember(ports, trx, { watchlistId, user, at, invited, happened })',
    after: 'if (invited.length < 0) await becomeMember(ports, trx, { watchlistId, user, at, invited, happened })',
    tests: [`${links}/reservations.test.ts`],
  },
  {
    name: 'the passes that a removed member made stay valid',
    file: `${nights}/service.ts`,
    before: 'await endPassesBy(trx, watchlistId, people, closing.now)',
    after: '',
    tests: [guests],
  },
  {
    name: 'the code of a night outlives the removal of a member',
    file: `${nights}/service.ts`,
    before: 'if (open.join_code !== null) await renewCode(trx, closing, open, closing.now)',
    after: '',
    tests: [guests],
  },
  {
    name: 'a removed guest comes back',
    file: `${nights}/passes/guests.ts`,
    before: 'if (!user.pass) await barPass(trx, key, guestId, found.now)',
    after: '',
    tests: [guests],
  },
  {
    name: 'a removed guest comes back from their device with another address',
    file: `${nights}/passes/guests.ts`,
    before: '? other.device_hash === from.device_hash',
    after: '? other.address_hash === from.address_hash && other.device_hash === from.device_hash',
    tests: [guests],
  },
  {
    name: 'one visitor is any number of guests',
    file: `${nights}/passes/guests.ts`,
    before: 'if (row.many_guests === 0 && neighbours.length >= MAX_GUESTS_PER_ADDRESS)',
    after: 'if (row.many_guests === 0 && neighbours.length >= MAX_NIGHT_GUESTS)',
    tests: [guests],
  },
  {
    name: 'the code of a night cannot be changed',
    file: `${nights}/passes/guests.ts`,
    before: `export async function renewNightCode(ports: WatchlistPorts, user: User, nightId: string): Promise<Night> {
  return await changeAndPresent(ports, user, 'night.invite', nightId, async (trx, _key, found) => {
    found.requireState('open')
`,
    after: `export async function renewNightCode(ports: WatchlistPorts, user: User, nightId: string): Promise<Night> {
  return await changeAndPresent(ports, user, 'night.invite', nightId, async (trx, _key, found) => {
    found.requireState('open')
    if (found.row.join_code !== null) return
`,
    tests: [guests],
  },
  {
    name: 'the webhooks of an owner whose account is deleted stay',
    file: `${club}/watchlists/leave-everything.ts`,
    before: "if (await webhooks.switchOff(trx, watchlistId)) happened('webhook.switched-off')",
    after: '',
    tests: [webhooks],
  },
  {
    name: 'the webhook of a former owner goes on after a hand-over',
    file: `${club}/watchlists/ownership.ts`,
    before: 'if (successor.userId !== user.userId && (await ports.webhooks.switchOff(trx, watchlistId))) {',
    after: "if (successor.userId === '') {",
    tests: [webhooks],
  },
  {
    name: 'a webhook is switched off without a word to the new owner',
    file: `${club}/watchlists/ownership.ts`,
    before: "happened('webhook.switched-off', { by: null })",
    after: '',
    tests: [webhooks],
  },
  {
    name: 'a token that only reads sees the code of a night',
    file: `${nights}/night/present.ts`,
    before: "return tokenScope === 'read' ? { ...night, joinCode: null } : night",
    after: "return tokenScope === 'read' && night.joinCode === '' ? { ...night, joinCode: null } : night",
    tests: [`${club}/personal-tokens/routes.test.ts`],
  },
  {
    name: 'each plus address of a mailbox gets five mails a day',
    file: 'contract/src/rules/account.ts',
    before: "return usernameKey(address).replace(/^([^+@]+)\\+[^@]*@/u, '$1@')",
    after: 'return usernameKey(address)',
    tests: [mailed],
  },
  {
    name: 'an invitation goes to an address in angle brackets',
    file: 'contract/src/rules/account.ts',
    before: 'return MAIL_ADDRESS.test(value)',
    after: 'return EMAIL.test(value)',
    tests: [mailed],
  },
  {
    name: 'an invitation goes to the address of a machine',
    file: 'contract/src/rules/account.ts',
    before: '(?!\\d+$)',
    after: '',
    tests: [mailed],
  },
  {
    name: 'the setup behind a proxy that adds no header needs no code',
    file: `${club}/setup/routes.ts`,
    before: "if (raw.httpVersion === '1.0') return false",
    after: "if (raw.httpVersion === '0.9') return false",
    tests: [setup],
  },
  {
    name: 'the setup through a proxy needs no code',
    file: `${club}/setup/routes.ts`,
    before: "if (Object.keys(headers).some((name) => name.startsWith('x-') || OF_PROXIES.includes(name))) return false",
    after: "if (headers['x-forwarded-for'] !== undefined) return false",
    tests: [setup],
  },
  {
    name: 'the setup from a page of elsewhere needs no code',
    file: `${club}/setup/routes.ts`,
    before: 'return site ===',
    after: "return site !== 'none' || site ===",
    tests: [setup],
  },
  {
    name: 'the setup under another host needs no code',
    file: `${club}/setup/routes.ts`,
    before: 'if (![publicUrl, `http://${host}`].every(',
    after: 'if (![publicUrl].every(',
    tests: [setup],
  },
  {
    name: 'a code that was sent to one address verifies another',
    file: 'identity/src/parts/codes/code.ts',
    before: 'VERIFYING.has(purpose) ?',
    after: 'VERIFYING.size === 0 ?',
    tests: [overtaken],
  },
  {
    name: 'another code goes to the address from before a concurrent change',
    file: 'identity/src/flows/operations/attributes.ts',
    before: 'const user = await lockCaller(trx, caller)\n      const destination',
    after: 'const user = caller\n      const destination',
    tests: [overtaken],
  },
  {
    name: 'signing out everywhere leaves the codes that tools have not used',
    file: 'identity/src/sign-in/end-sessions.ts',
    before: '  await removeUnusedCodes(trx, sub)\n  await pool',
    after: '  await pool',
    tests: ['identity/src/flows/oauth/oauth.test.ts'],
  },
  {
    name: 'a deletion ends the sessions before it waits for a concurrent sign-in',
    file: 'identity/src/flows/account/remove-user.ts',
    before:
      '  const user = await removeUserRow(trx, sub)\n  const ended = await revokeSessionsOf(trx, sub, { now: pool.clock.now().toISOString() })\n',
    after:
      '  const ended = await revokeSessionsOf(trx, sub, { now: pool.clock.now().toISOString() })\n  const user = await removeUserRow(trx, sub)\n',
    tests: [overtaken],
  },
  {
    name: 'the right second factor passes a lock that began in the meantime',
    file: 'identity/src/base/limits/user-limits.ts',
    before: 'const cleared = await clearFailures(trx, keyOf(counter), iso(pool.clock.now().getTime()))',
    after: 'const cleared = (await clearFailures(trx, keyOf(counter), iso(pool.clock.now().getTime()))) || true',
    tests: ['identity/src/attacks/guessing-and-races.test.ts'],
  },
  {
    name: 'a reset code works again once a disabled account is enabled',
    file: 'identity/src/flows/admin/admin.ts',
    before: "await setEnabled(trx, sub, 0)\n        await removeCodesSentTo(trx, 'email', sub)",
    after: 'await setEnabled(trx, sub, 0)',
    tests: ['identity/src/flows/admin/admin.test.ts'],
  },
  {
    name: 'a command of an operator reaches the user who has the id of another as name',
    file: 'identity/src/flows/admin/directory.ts',
    before: '(await findUserBySub(db, nameKey(name))) ?? (await resolveAccount(pool, name)).user',
    after: '(await resolveAccount(pool, name)).user ?? (await findUserBySub(db, nameKey(name)))',
    tests: ['identity/src/flows/admin/admin.test.ts'],
  },
  {
    name: 'a secret of an app is proven by the code of the one it replaces',
    file: 'identity/src/flows/operations/mfa.ts',
    before: 'const user = await lockCaller(trx, caller)\n        const refusal = await verify(',
    after: 'const user = caller\n        const refusal = await verify(',
    tests: [overtaken],
  },
  {
    name: 'a link to the provider outlives the account that is deleted meanwhile',
    file: 'identity/src/flows/external/accounts.ts',
    before: 'const user = await lockUser(trx, who.userId)',
    after: 'const user = await findUserBySub(trx, who.userId)',
    tests: ['identity/src/flows/external/external.test.ts'],
  },
  {
    name: 'a required second factor goes with its phone number',
    file: 'identity/src/flows/operations/attributes.ts',
    before: '  if (last) throw last\n',
    after: '',
    tests: ['identity/src/flows/operations/attributes.test.ts'],
  },
  {
    name: 'a user who is confirmed already hears that the address is taken',
    file: 'identity/src/flows/operations/sign-up.ts',
    before: "if (current && current.status !== 'UNCONFIRMED') return alreadyConfirmed()",
    after: '',
    tests: [overtaken],
  },
  {
    name: 'an address that its holder has just released is taken from them',
    file: 'identity/src/parts/users/login-name-store.ts',
    before: 'return numUpdatedRows === 1n',
    after: 'return numUpdatedRows >= 0n',
    tests: [overtaken],
  },
  {
    name: 'the owner confirms whatever account the member claims by then',
    file: 'server/src/rooms/movies/media-links/linking.ts',
    before: ' && one.remote_id === accountId',
    after: '',
    tests: ['server/src/rooms/movies/media-links/linking.test.ts'],
  },
  {
    name: 'a night that ended by itself keeps where its guests joined',
    file: `${nights}/forgotten.ts`,
    before: '  await endPasses(trx, key, night, night.current_until)\n',
    after: '',
    tests: [guests],
  },
  {
    name: 'a new owner links any account of a Plex server whose key another member gave',
    file: 'server/src/rooms/movies/media-links/linking.ts',
    before: 'server.creator_id === user.userId || (before',
    after: "server.creator_id !== '' || (before",
    tests: ['server/src/rooms/movies/media-links/linking.test.ts'],
  },
]
