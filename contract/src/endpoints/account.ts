import { RecoveryCodeCount, RecoveryCodes } from '../entities/account.ts'
import { endpoint } from './endpoint.ts'

export const ACCOUNT_ENDPOINTS = {
  countRecoveryCodes: endpoint({
    method: 'GET',
    path: '/account/recovery-codes',
    summary: 'How many recovery codes you have left',
    auth: 'required',
    status: 200,
    reply: RecoveryCodeCount,
    errors: [],
  }),
  makeRecoveryCodes: endpoint({
    method: 'POST',
    path: '/account/recovery-codes',
    summary: 'Ten new recovery codes in place of the ones you had; they are shown this once',
    auth: 'required',
    status: 200,
    reply: RecoveryCodes,
    errors: [],
    limit: 'write',
  }),
} as const
