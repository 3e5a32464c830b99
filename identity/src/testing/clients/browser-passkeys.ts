import { vi } from 'vitest'

import type { Authenticator } from '../authenticator.ts'

class Credential {
  readonly id: string
  readonly rawId: ArrayBuffer
  readonly type = 'public-key'
  readonly authenticatorAttachment = 'platform'
  readonly response: object

  constructor(id: string, response: object) {
    this.id = id
    this.rawId = bytesOf(id)
    this.response = response
  }

  getClientExtensionResults(): object {
    return {}
  }
}
class AttestationResponse {}
class AssertionResponse {}

type Buffers = { challenge: ArrayBuffer; user: { id: ArrayBuffer }; allowCredentials: { id: ArrayBuffer }[] }

/**
 * The browser API that Amplify uses for passkeys, with one authenticator: `navigator.credentials` and its types.
 * Stays until `vi.unstubAllGlobals`.
 */
export function aBrowserWithPasskey(passkey: Authenticator): void {
  const create = async ({ publicKey }: { publicKey: Buffers & { rp: { id: string } } }) => {
    await Promise.resolve()
    const { challenge, rp, user } = publicKey
    const { id, response } = passkey.create({ challenge: textOf(challenge), rp, user: { id: textOf(user.id) } })
    return new Credential(
      id,
      Object.assign(new AttestationResponse(), {
        clientDataJSON: bytesOf(response.clientDataJSON),
        attestationObject: bytesOf(response.attestationObject),
        getTransports: () => response.transports,
        getPublicKeyAlgorithm: () => response.publicKeyAlgorithm,
        getAuthenticatorData: () => bytesOf(response.authenticatorData),
        getPublicKey: () => null,
      }),
    )
  }
  const get = async ({ publicKey }: { publicKey: Buffers & { rpId: string } }) => {
    await Promise.resolve()
    const { challenge, rpId, allowCredentials } = publicKey
    const allowed = allowCredentials.map(({ id }) => ({ id: textOf(id) }))
    if (!allowed.some(({ id }) => id === passkey.id)) throw new DOMException('No passkey', 'NotAllowedError')
    const { id, response } = passkey.get({ challenge: textOf(challenge), rpId, allowCredentials: allowed })
    return new Credential(
      id,
      Object.assign(new AssertionResponse(), {
        clientDataJSON: bytesOf(response.clientDataJSON),
        authenticatorData: bytesOf(response.authenticatorData),
        signature: bytesOf(response.signature),
        userHandle: bytesOf(response.userHandle),
      }),
    )
  }
  vi.stubGlobal('window', { document: {}, isSecureContext: true, PublicKeyCredential: Credential })
  vi.stubGlobal('navigator', { credentials: { create, get } })
  vi.stubGlobal('PublicKeyCredential', Credential)
  vi.stubGlobal('AuthenticatorAttestationResponse', AttestationResponse)
  vi.stubGlobal('AuthenticatorAssertionResponse', AssertionResponse)
}

function bytesOf(text: string): ArrayBuffer {
  return Uint8Array.from(Buffer.from(text, 'base64url')).buffer
}

function textOf(bytes: ArrayBuffer): string {
  return Buffer.from(bytes).toString('base64url')
}
