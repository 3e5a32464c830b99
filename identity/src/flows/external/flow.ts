import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { commitOrRefuse } from '../../base/errors/refusals.ts'
import { burnNonce } from '../../base/limits/limit-store.ts'
import type { ExternalPerson, Pool, SealPorts } from '../../base/ports.ts'
import { sealedToken } from '../../base/sealed/sealed-token.ts'
import { sha256 } from '../../base/srp/srp.ts'
import type { Db, UserRow } from '../../base/tables.ts'
import { findUserBySub } from '../../parts/users/user-store.ts'
import { makeTicket } from '../../sign-in/password.ts'
import { OAuthError } from '../oauth/parameters.ts'
import { findOwner, removeLinksOf } from './link-store.ts'

type Ports = Pick<Pool, 'clientId' | 'clock' | 'id' | 'keyring' | 'publicUrl'>

/** Long enough to sign in at the provider, and then here to link the accounts. */
const LIFETIME_SECONDS = 15 * 60

const Content = z.discriminatedUnion('at', [
  /** The browser is at the provider. */
  z.object({
    at: z.literal('provider'),
    state: z.string(),
    nonce: z.string(),
    verifier: z.string(),
    redirect: z.string(),
  }),
  /** The browser is back, with the user of the provider. */
  z.object({
    at: z.literal('back'),
    person: z.object({
      issuer: z.string(),
      subject: z.string(),
      email: z.string().optional(),
      name: z.string().optional(),
      authTime: z.number().optional(),
    }),
    redirect: z.string(),
  }),
])

const flowToken = sealedToken({ kind: 'external', schema: Content, lifetime: LIFETIME_SECONDS })

type Flow = NonNullable<ReturnType<typeof flowToken.open>>
export type FlowBack = Extract<Flow, { at: 'back' }>

/**
 * A sign-in at the provider belongs to the browser that started it. Its sealed state is in a cookie that no script can
 * read and no other page can set or send (except on the redirect of the provider, hence `Lax`).
 */
export function setFlow(
  pool: SealPorts & Pick<Pool, 'publicUrl'>,
  reply: FastifyReply,
  flow: z.output<typeof Content>,
): void {
  reply.header('set-cookie', cookie(pool, flowToken.seal(pool, flow), LIFETIME_SECONDS))
}

export function clearFlow(pool: Pick<Pool, 'publicUrl'>, reply: FastifyReply): void {
  reply.header('set-cookie', cookie(pool, '', 0))
}

/** The flow in the cookie of a request; undefined when it is missing, altered or expired. */
export function readFlow(pool: Ports, { headers }: Pick<FastifyRequest, 'headers'>): Flow | undefined {
  const prefix = `${cookieName(pool)}=`
  const values = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const value = values.find((pair) => pair.startsWith(prefix))?.slice(prefix.length) ?? ''
  return flowToken.open(pool, value)
}

function cookie(pool: Pick<Pool, 'publicUrl'>, value: string, maxAge: number): string {
  const secure = isHttps(pool) ? '; Secure' : ''
  return `${cookieName(pool)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`
}

/** With `__Host-` browsers accept it only from this host over https. */
function cookieName(pool: Pick<Pool, 'publicUrl'>): string {
  return isHttps(pool) ? '__Host-marquee-external' : 'marquee-external'
}

function isHttps({ publicUrl }: Pick<Pool, 'publicUrl'>): boolean {
  return publicUrl.startsWith('https:')
}

/** What the browser may do after its return. */
export type Claim =
  | { kind: 'known'; username: string; ticket: string; redirect: string }
  | { kind: 'new'; name: string; email: string; redirect: string }

/**
 * Either the linked account, with a ticket to sign in, or the name and verified address of a new user. An equal address
 * does not link an account.
 */
export async function claimFlow(pool: SealPorts & Pick<Pool, 'database'>, flow: FlowBack): Promise<Claim> {
  const { person, redirect } = flow
  const sub = await findOwner(pool.database.read, ownerKeyOf(person))
  const user = sub === undefined ? undefined : await commitOrRefuse(pool, async (trx) => await enter(trx, flow, sub))
  if (!user) return { kind: 'new', name: person.name ?? '', email: person.email ?? '', redirect }
  return { kind: 'known', ...entryOf(pool, user, person), redirect }
}

/** Uses the flow up for the linked account. If the account is gone, the link goes, too. */
async function enter(trx: Db, flow: FlowBack, sub: string): Promise<UserRow | undefined> {
  const user = await findUserBySub(trx, sub)
  if (user) await endFlow(trx, flow)
  else await removeLinksOf(trx, [sub])
  return user
}

/** What the browser signs in with. */
export function entryOf(
  pool: SealPorts,
  user: UserRow,
  { authTime }: Pick<ExternalPerson, 'authTime'>,
): { username: string; ticket: string } {
  return { username: user.username, ticket: makeTicket(pool, user, authTime) }
}

/** Uses the flow up, in the transaction it permits. @throws {OAuthError} when it was used before. */
export async function endFlow(trx: Db, { tokenId, expiresAt }: FlowBack): Promise<void> {
  const isFirst = await burnNonce(trx, `external flow ${tokenId}`, expiresAt)
  if (!isFirst) throw flowOver()
}

export function flowOver(): OAuthError {
  return new OAuthError('flow_over', 'This sign-in was used already or is too old')
}

/** The key of a provider user. Unlike the e-mail, issuer and subject are never reassigned. */
export function ownerKeyOf({ issuer, subject }: ExternalPerson): string {
  return sha256(Buffer.from(JSON.stringify([issuer, subject]), 'utf8')).toString('hex')
}

/** The external provider is unreachable, or does not support this. */
export class ExternalUnavailable extends Error {
  override readonly name = 'ExternalUnavailable'
}
