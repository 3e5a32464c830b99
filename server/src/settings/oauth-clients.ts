import { z } from 'zod'

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** A redirect URI: https, or http on the same machine. It must be complete, since all of it but a local port is compared literally. */
const target = z
  .string()
  .refine(isTarget, 'Must be a whole https:// address without # and login; http:// only for localhost')

const Client = z.strictObject({
  id: z.string().regex(/^[\w.~-]{1,128}$/u, 'Must be 1 to 128 letters, digits, dots, dashes and underscores'),
  name: z.string().trim().min(1, 'Is what people are asked whether to sign in to').max(100),
  secret: z.string().min(32, 'Must have at least 32 characters').optional(),
  redirectUris: z.array(target).min(1, 'One is needed at least'),
  logoutUris: z.array(target).default([]),
})

/** Other tools that may sign users in here: a JSON list. */
export const OAuthClients = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'Must be a list in JSON' })
      return z.NEVER
    }
  })
  .pipe(z.array(Client, { error: 'Must be a list in JSON' }))
  .refine((clients) => new Set(clients.map(({ id }) => id)).size === clients.length, 'Two clients have the same id')

function isTarget(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (text.includes('#') || username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && LOCAL.has(hostname))
}
