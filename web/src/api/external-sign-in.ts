import { session } from '#web/session/session.ts'

/** The next step after the external provider. `redirect` is not validated yet. */
export type ExternalClaim =
  | { kind: 'known'; username: string; ticket: string; redirect: string }
  | { kind: 'new'; name: string; email: string; redirect: string }

/** Signs in, as a name and a password do. */
export type ExternalEntry = { username: string; ticket: string }

/** `code` is one of the server's, or `unreachable` if it did not answer. */
export class ExternalFailure extends Error {
  override readonly name = 'ExternalFailure'
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** Reads the answer of the provider, which is in a cookie. @throws {ExternalFailure} */
export async function claimExternal(): Promise<ExternalClaim> {
  return (await send('POST', 'claim', {})) as ExternalClaim
}

/** Creates an account. @throws {ExternalFailure} */
export async function signUpExternally(name: string): Promise<ExternalEntry> {
  return (await send('POST', 'sign-up', { name })) as ExternalEntry
}

/** Links the signed-in account to the user of the provider. @throws {ExternalFailure} */
export async function linkExternal(): Promise<void> {
  await send('POST', 'link', {}, await bearer())
}

/** Whether the signed-in account is linked to the provider. @throws {ExternalFailure} */
export async function readExternalLink(): Promise<boolean> {
  const { isLinked } = (await send('GET', 'link', undefined, await bearer())) as { isLinked: boolean }
  return isLinked
}

/** @throws {ExternalFailure} */
export async function unlinkExternal(): Promise<void> {
  await send('DELETE', 'link', undefined, await bearer())
}

/** The sign-out page of the provider, null if there is none. @throws {ExternalFailure} */
export async function externalSignOut(): Promise<string | null> {
  const { location } = (await send('GET', 'logout', undefined)) as { location: string | null }
  return location
}

async function bearer(): Promise<Record<string, string>> {
  const token = await session.idToken()
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

async function send(method: string, path: string, body: object | undefined, headers: Record<string, string> = {}) {
  const response = await fetch(`/oauth2/external/${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => undefined)
  if (response === undefined) throw new ExternalFailure('unreachable')
  const answer: unknown = await response.json().catch(() => ({}))
  if (response.ok) return answer
  const { error } = answer as { error?: unknown }
  throw new ExternalFailure(typeof error === 'string' ? error : 'unreachable')
}
