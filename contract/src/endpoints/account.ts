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

const PasskeyBody = z.object({ name: text({ required: 'A name is required', max: MAX_PASSKEY_NAME_LENGTH }) })

export const ACCOUNT_ENDPOINTS = {
  countRecoveryCodes: endpoint('GET', '/account/recovery-codes', {
    summary: 'The number of your unused recovery codes',
    auth: 'sign-in',
    reply: RecoveryCodeCount,
    errors: [],
  }),
  makeRecoveryCodes: endpoint('POST', '/account/recovery-codes', {
    summary: 'Replace your recovery codes by ten new ones, shown once',
    auth: 'sign-in',
    reply: RecoveryCodes,
    errors: ['FORBIDDEN'],
  }),
  listPasskeys: endpoint('GET', '/account/passkeys', {
    summary: 'Your passkeys, with name and last sign-in',
    auth: 'sign-in',
    reply: Passkeys,
    errors: [],
  }),
  renamePasskey: endpoint('PUT', '/account/passkeys/:passkeyId', {
    summary: 'Name a passkey',
    auth: 'sign-in',
    params: z.object({ passkeyId: z.string().regex(/^[\w-]{1,1400}$/u, 'This is not an identifier') }),
    body: PasskeyBody,
    reply: Passkey,
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
  }),
  listSessions: endpoint('GET', '/account/sessions', {
    summary: 'Your active sessions, newest first',
    auth: 'sign-in',
    reply: Sessions,
    errors: [],
  }),
  endSession: endpoint('DELETE', '/account/sessions/:sessionId', {
    summary: 'End another session',
    auth: 'sign-in',
    errors: ['NOT_FOUND'],
  }),
  listSecurityEvents: endpoint('GET', '/account/events', {
    summary: 'The security events of your account in the last year, newest first',
    auth: 'sign-in',
    query: PageQuery,
    reply: SecurityEventsPage,
    errors: ['BAD_REQUEST'],
  }),
  exportData: endpoint('GET', '/account/export', {
    summary: 'All data stored about you',
    auth: 'sign-in',
    reply: DataExport,
    errors: ['FORBIDDEN'],
    limit: 'write',
  }),
} as const
