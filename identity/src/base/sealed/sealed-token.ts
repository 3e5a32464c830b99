import { type Clock, epochSeconds } from '@marquee/platform/runtime/clock'
import type { Random } from '@marquee/platform/runtime/random'
import { open, seal } from '@marquee/platform/runtime/sealed-box'
import { z } from 'zod'

import { refusals } from '../errors/refusals.ts'
import type { Pool } from '../ports.ts'
import type { Keyring } from '../keys/keyring.ts'

const KEY_ID_BYTES = 4

/** The kind, pool and client that a value is sealed for. It does not open for others. */
export type SealedFor = {
  kind:
    | 'authorization'
    | 'device-block'
    | 'external'
    | 'external-ticket'
    | 'logout'
    | 'secret-block'
    | 'session'
    | 'sign-up'
  poolId: string
  clientId: string
}

/** The common fields of tokens: the end, in seconds since 1970, and the id under which one is used up. */
const Envelope = z.object({ expiresAt: z.number(), tokenId: z.string() })
type Envelope = z.output<typeof Envelope>

type SealingPorts = { id: string; clientId: string; keyring: Keyring; random: Random; clock: Clock }

/**
 * Describes state that the client carries, encrypted, between two requests, so that any process can continue from it.
 * @param lifetime in seconds
 */
export function sealedToken<Schema extends z.ZodType<object, object>>({
  kind,
  schema,
  lifetime,
  encoding = 'base64url',
}: {
  kind: SealedFor['kind']
  schema: Schema
  lifetime: number
  encoding?: 'base64' | 'base64url'
}) {
  type Content = z.output<Schema>
  type Token = Content & Envelope
  type OpenPorts = Pick<SealingPorts, 'id' | 'clientId' | 'keyring'>

  const sealedFor = ({ id, clientId }: OpenPorts): SealedFor => ({ kind, poolId: id, clientId })

  /** The token, also an expired one; undefined when it was altered or belongs to another client. */
  function openAtAnyAge(ports: OpenPorts, sealed: string | Uint8Array): Token | undefined {
    const bytes = typeof sealed === 'string' ? Buffer.from(sealed, encoding) : sealed
    const value = openValue(ports.keyring, sealedFor(ports), bytes)
    const content = schema.safeParse(value)
    const envelope = Envelope.safeParse(value)
    return content.success && envelope.success ? Object.assign(content.data, envelope.data) : undefined
  }

  return {
    /** Seals content with a new end and id, or with those of a token that is sealed again. */
    seal: (ports: SealingPorts, content: Content, again?: Envelope): string => {
      const { expiresAt, tokenId } = again ?? {
        expiresAt: epochSeconds(ports.clock) + lifetime,
        tokenId: ports.random.bytes(16).toString('hex'),
      }
      const value = { ...z.encode(schema, content), expiresAt, tokenId }
      return sealValue(ports, sealedFor(ports), value).toString(encoding)
    },
    openAtAnyAge,
    /** The token; undefined when it is not one, or has expired. */
    open: (ports: OpenPorts & Pick<SealingPorts, 'clock'>, sealed: string): Token | undefined => {
      const token = openAtAnyAge(ports, sealed)
      return token && !isExpired(ports, token) ? token : undefined
    },
  }
}

export function isExpired({ clock }: Pick<Pool, 'clock'>, { expiresAt }: Pick<Envelope, 'expiresAt'>): boolean {
  return expiresAt <= epochSeconds(clock)
}

/** @throws NotAuthorizedException for a token that has expired. */
export function requireUnexpired(ports: Pick<Pool, 'clock'>, token: Pick<Envelope, 'expiresAt'>): void {
  if (isExpired(ports, token)) throw refusals.expiredSession()
}

/** Key id ‖ AES-256-GCM box of the JSON. */
export function sealValue(
  { keyring, random }: Pick<Pool, 'keyring' | 'random'>,
  sealedFor: SealedFor,
  value: object,
): Buffer {
  const content = Buffer.from(JSON.stringify(value), 'utf8')
  const box = seal(keyring.current('sealed-value'), contextOf(sealedFor), content, random)
  return Buffer.concat([Buffer.from(keyring.currentId, 'hex'), box])
}

/** The content; undefined when it was altered or was sealed for another kind, pool or client. */
export function openValue(keyring: Keyring, sealedFor: SealedFor, bytes: Uint8Array): unknown {
  const keyId = Buffer.from(bytes.subarray(0, KEY_ID_BYTES)).toString('hex')
  const key = keyring.find('sealed-value', keyId)
  const content = key && open(key, contextOf(sealedFor), bytes.subarray(KEY_ID_BYTES))
  return content && (JSON.parse(content.toString('utf8')) as unknown)
}

function contextOf({ kind, poolId, clientId }: SealedFor): string {
  return `${kind}|${poolId}|${clientId}`
}
