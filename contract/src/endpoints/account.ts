import { z } from 'zod'

import {
  DataExport,
  MAX_PASSKEY_NAME_LENGTH,
  Passkey,
  Passkeys,
  RecoveryCodeCount,
  RecoveryCodes,
  SecurityEventsPage,
  Sessions,
} from '../entities/account.ts'
import { endpoint, PageQuery, text } from '../base/endpoint.ts'

const passkeyParams = z.object({ passkeyId: z.string().regex(/^[\w-]{1,1400}$/u, 'This is not an identifier') })
const sessionParams = z.object({ sessionId: z.string().regex(/^[\w-]{1,64}$/u, 'This is not an identifier') })
const PasskeyBody = z.object({ name: text({ required: 'A name is required', max: MAX_PASSKEY_NAME_LENGTH }) })

export const ACCOUNT_ENDPOINTS = {
  countRecoveryCodes: endpoint({
    method: 'GET',
    path: '/account/recovery-codes',
    summary: 'The number of your unused recovery codes',
    auth: 'sign-in',
    status: 200,
    reply: RecoveryCodeCount,
    errors: [],
  }),
  makeRecoveryCodes: endpoint({
    method: 'POST',
    path: '/account/recovery-codes',
    summary: 'Replace your recovery codes by ten new ones, shown once',
    auth: 'sign-in',
    status: 200,
    reply: RecoveryCodes,
    errors: ['FORBIDDEN'],
    limit: 'write',
  }),
  listPasskeys: endpoint({
    method: 'GET',
    path: '/account/passkeys',
    summary: 'Your passkeys, with name and last sign-in',
    auth: 'sign-in',
    status: 200,
    reply: Passkeys,
    errors: [],
  }),
  renamePasskey: endpoint({
    method: 'PUT',
    path: '/account/passkeys/:passkeyId',
    summary: 'Name a passkey',
    auth: 'sign-in',
    status: 200,
    params: passkeyParams,
    body: PasskeyBody,
    reply: Passkey,
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    limit: 'write',
  }),
  listSessions: endpoint({
    method: 'GET',
    path: '/account/sessions',
    summary: 'Your active sessions, newest first',
    auth: 'sign-in',
    status: 200,
    reply: Sessions,
    errors: [],
  }),
  endSession: endpoint({
    method: 'DELETE',
    path: '/account/sessions/:sessionId',
    summary: 'End another session',
    auth: 'sign-in',
    status: 204,
    params: sessionParams,
    errors: ['NOT_FOUND'],
    limit: 'write',
  }),
  listSecurityEvents: endpoint({
    method: 'GET',
    path: '/account/events',
    summary: 'The security events of your account in the last year, newest first',
    auth: 'sign-in',
    status: 200,
    query: PageQuery,
    reply: SecurityEventsPage,
    errors: ['BAD_REQUEST'],
  }),
  exportData: endpoint({
    method: 'GET',
    path: '/account/export',
    summary: 'All data stored about you',
    auth: 'sign-in',
    status: 200,
    reply: DataExport,
    errors: ['FORBIDDEN'],
    limit: 'write',
  }),
} as const
