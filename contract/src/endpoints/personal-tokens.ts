import { z } from 'zod'

import { NewPersonalToken, PersonalTokens, TOKEN_SCOPES } from '../entities/personal-token.ts'
import { MAX_TOKEN_NAME_LENGTH } from '../base/limits.ts'
import { TOKEN_DAYS } from '../rules/personal-token.ts'
import { endpoint, text } from '../base/endpoint.ts'

export const PERSONAL_TOKEN_ENDPOINTS = {
  listPersonalTokens: endpoint('GET', '/account/tokens', {
    summary: 'Your personal access tokens, newest first',
    auth: 'sign-in',
    reply: PersonalTokens,
    errors: [],
  }),
  createPersonalToken: endpoint('POST', '/account/tokens', {
    summary: 'Create a personal access token, shown once',
    auth: 'sign-in',
    status: 201,
    body: z.object({
      name: text({ required: 'A name is required', max: MAX_TOKEN_NAME_LENGTH }),
      scope: z.enum(TOKEN_SCOPES),
      /** For how many days it is valid; null is without end. */
      days: z.literal(TOKEN_DAYS),
    }),
    reply: NewPersonalToken,
    errors: ['BAD_REQUEST', 'FORBIDDEN'],
  }),
  revokePersonalToken: endpoint('DELETE', '/account/tokens/:tokenId', {
    summary: 'Revoke a personal access token',
    auth: 'sign-in',
    errors: ['NOT_FOUND'],
  }),
} as const
