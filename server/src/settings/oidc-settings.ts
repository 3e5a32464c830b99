import { z } from 'zod'

import type { IdentityPorts } from '@marquee/identity'

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])
const LONGEST_NAME = 40

/** An external OpenID Connect provider that users may sign in with. */
export const OIDC_SETTINGS = {
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, 'Must be an https:// address; http:// only for localhost')
    .optional()
    .describe('The issuer of an OpenID Connect provider that users may [sign in with](external-sign-in.md).'),
  OIDC_CLIENT_ID: z.string().optional().describe('The client that is registered at that provider.'),
  OIDC_CLIENT_SECRET: z.string().optional().describe('The secret of that client, if it has one.'),
  OIDC_NAME: z
    .string()
    .trim()
    .max(LONGEST_NAME, `May have ${LONGEST_NAME} characters`)
    .optional()
    .describe('The name of the provider on the login screen. Without it: the host of the issuer.'),
}

type OidcSettings = { [Name in keyof typeof OIDC_SETTINGS]: string | undefined }

/** Rejects a partly configured provider. */
export function refuseHalfOidc(value: Partial<OidcSettings>, context: z.RefinementCtx): void {
  const given = (['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'] as const).find(
    (name) => value[name] !== undefined,
  )
  if (given === undefined) return
  for (const name of ['OIDC_ISSUER', 'OIDC_CLIENT_ID'] as const) {
    if (value[name] === undefined) {
      context.addIssue({ code: 'custom', path: [name], message: `Is needed with ${given}` })
    }
  }
}

/** The provider for the identity service. Its button shows the host if it has no name. */
export function externalProviderOf(settings: Partial<OidcSettings>): IdentityPorts['externalProvider'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = settings
  if (issuer === undefined || clientId === undefined) return undefined
  return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).hostname }
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash, username } = new URL(text)
  if (search !== '' || hash !== '' || username !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && LOCAL.has(hostname))
}
