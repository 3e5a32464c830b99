import { sha256 } from '../srp/group.ts'
import type { ExternalPerson } from '../base/ports.ts'

/** Names a person of a provider's by what is never given to another: issuer and subject, not the e-mail. */
export function ownerKeyOf({ issuer, subject }: ExternalPerson): string {
  return sha256(Buffer.from(JSON.stringify([issuer, subject]), 'utf8')).toString('hex')
}
