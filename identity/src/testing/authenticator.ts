import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

import { PUBLIC_URL } from './a-pool.ts'

type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } }
export type RequestOptions = { challenge: string; rpId: string; allowCredentials: { id: string }[] }

/** Deviations from an honest browser. */
type Quirks = {
  origin?: string
  rpId?: string
  challenge?: string
  crossOrigin?: boolean
  userVerified?: boolean
  alg?: number
  counter?: number
  /** The `type` in the signed client data. */
  type?: string
  userHandle?: string
  userPresent?: boolean
}

const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (content: Uint8Array | string) => createHash('sha256').update(content).digest()

/** A software passkey (ES256, no attestation) in a browser on a page of the installation. */
export type Authenticator = ReturnType<typeof anAuthenticator>

export function anAuthenticator({ startAt = 1, idBytes = 20 }: { startAt?: number; idBytes?: number } = {}) {
  const id = randomBytes(idBytes)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let counter = startAt
  let userHandle = ''

  const clientData = (type: string, challenge: string, quirks: Quirks) =>
    Buffer.from(
      JSON.stringify({
        type: quirks.type ?? type,
        challenge: quirks.challenge ?? challenge,
        origin: quirks.origin ?? PUBLIC_URL,
        crossOrigin: quirks.crossOrigin ?? false,
      }),
    )
  const authenticatorData = (rpId: string, flags: number, quirks: Quirks, rest = Buffer.alloc(0)) => {
    const verified = quirks.userVerified === false ? 0 : VERIFIED
    const present = quirks.userPresent === false ? 0 : PRESENT
    const count = Buffer.alloc(4)
    count.writeUInt32BE(quirks.counter ?? counter)
    return Buffer.concat([sha256(quirks.rpId ?? rpId), Buffer.of(flags | present | verified), count, rest])
  }

  return {
    id: base64url(id),
    /** Answers StartWebAuthnRegistration as `navigator.credentials.create` would. */
    create: (options: CreationOptions, quirks: Quirks = {}) => {
      userHandle = options.user.id
      const idLength = Buffer.alloc(2)
      idLength.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), idLength, id, coseKey(publicKey, quirks.alg ?? -7)])
      const authData = authenticatorData(options.rp.id, ATTESTED, quirks, attested)
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        authenticatorAttachment: 'platform',
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options.challenge, quirks)),
          attestationObject: base64url(attestationObject(authData)),
          transports: ['internal', 'hybrid'],
          authenticatorData: base64url(authData),
          publicKeyAlgorithm: -7,
        },
      }
    },
    /** Answers CREDENTIAL_REQUEST_OPTIONS as `navigator.credentials.get` would. */
    get: (options: RequestOptions, quirks: Quirks = {}) => {
      counter += startAt === 0 ? 0 : 1
      const client = clientData('webauthn.get', options.challenge, quirks)
      const authData = authenticatorData(options.rpId, 0, quirks)
      const signature = createSign('sha256').update(authData).update(sha256(client)).sign(privateKey)
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(authData),
          signature: base64url(signature),
          userHandle: quirks.userHandle ?? userHandle,
        },
      }
    },
  }
}

/** CBOR of {fmt: "none", attStmt: {}, authData}. */
function attestationObject(authData: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(authData.length)
  return Buffer.concat([
    Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
    Buffer.of(0x59),
    length,
    authData,
  ])
}

/** CBOR of an elliptic-curve key: {1: 2, 3: alg, −1: 1, −2: x, −3: y}. */
function coseKey(key: KeyObject, alg: number): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.of(0xa5, 0x01, 0x02, 0x03),
    Buffer.of(0x20 + (-1 - alg)),
    Buffer.from('200121' + '5820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
}
