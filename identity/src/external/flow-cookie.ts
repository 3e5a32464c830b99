import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { sealedToken } from '../sealed/sealed-token.ts'
import type { Pool, SealPorts } from '../base/ports.ts'

type Ports = Pick<Pool, 'clientId' | 'clock' | 'id' | 'keyring' | 'publicUrl'>

/** Long enough for signing in there, and then here to link the two. */
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
  /** It is back, and the provider has said who it is. */
  z.object({
    at: z.literal('back'),
    person: z.object({
      issuer: z.string(),
      subject: z.string(),
      email: z.string().optional(),
      name: z.string().optional(),
    }),
    redirect: z.string(),
  }),
])

const flowToken = sealedToken({ kind: 'external', schema: Content, lifetime: LIFETIME_SECONDS })

type Flow = NonNullable<ReturnType<typeof flowToken.open>>
export type FlowBack = Extract<Flow, { at: 'back' }>

/**
 * A sign-in at the provider belongs to the browser that began it: its state lies, sealed, in a cookie that no script can
 * read and no other page can set or send along (sent at the provider's redirect, hence `Lax`).
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

/** The flow of the browser that asks; undefined without one, or when it was altered or is over. */
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

/** With `__Host-` browsers take it from this very host alone, over https alone. */
function cookieName(pool: Pick<Pool, 'publicUrl'>): string {
  return isHttps(pool) ? '__Host-marquee-external' : 'marquee-external'
}

function isHttps({ publicUrl }: Pick<Pool, 'publicUrl'>): boolean {
  return publicUrl.startsWith('https:')
}
