import { z } from 'zod'

import { LANGUAGES } from '../base/languages.ts'
import { MAX_USERNAME_LENGTH } from '../base/limits.ts'
import { isMailAddress, passwordFault } from '../rules/account.ts'
import { endpoint, text } from '../base/endpoint.ts'

/** Empty if the caller has none. */
const code = text({ max: 64 })
const email = text({ required: 'An e-mail address is required', max: MAX_USERNAME_LENGTH }).refine(
  isMailAddress,
  'This is not an e-mail address',
)
/** The rules of the user pool. Spaces are allowed inside only. */
const password = z
  .string()
  .refine(
    (value) => value.length <= 256 && value === value.trim() && passwordFault(value) === undefined,
    'This is not a valid password',
  )

/** How the mail server answered a test mail. `kept`: there is no mail server, so the mail is in a file. */
const TestMail = z.object({ outcome: z.enum(['accepted', 'kept', 'failed']), reason: z.string().nullable() })

/** Calls for an installation without an account. Afterwards they answer 404. */
export const SETUP_ENDPOINTS = {
  checkSetup: endpoint('POST', '/setup/check', {
    summary: 'Whether the installation has no account and the code is right',
    auth: 'none',
    body: z.object({ code }),
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'setup',
  }),
  sendTestMail: endpoint('POST', '/setup/test-mail', {
    summary: 'Send a test mail at once',
    auth: 'none',
    body: z.object({ code, email, language: z.enum(LANGUAGES) }),
    reply: TestMail,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'setup',
  }),
  createFirstAccount: endpoint('POST', '/setup/account', {
    summary: 'Create the first account, confirmed',
    auth: 'none',
    body: z.object({
      code,
      username: text({ required: 'A username is required', max: MAX_USERNAME_LENGTH }),
      email,
      password,
    }),
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'setup',
  }),
} as const
