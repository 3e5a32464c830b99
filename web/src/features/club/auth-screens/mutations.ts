import type { BodyInput } from '@marquee/contract/endpoints'
import { SETUP_ENDPOINTS } from '@marquee/contract/endpoints/setup'
import { useMutation, useQueryClient } from '@tanstack/react-query'

import { isApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/call.ts'
import { language } from '#web/i18n/language.ts'

import { setupCheck } from './queries.ts'

export function useSendTestMail(code: string) {
  return useMutation({
    mutationFn: async (email: string) => call(SETUP_ENDPOINTS.sendTestMail, { body: { code, email, language } }),
    onError: useEndSetup(code),
  })
}

export function useCreateFirstAccount(code: string) {
  return useMutation({
    mutationFn: async (account: Omit<BodyInput<typeof SETUP_ENDPOINTS.createFirstAccount>, 'code'>) =>
      call(SETUP_ENDPOINTS.createFirstAccount, { body: { code, ...account } }),
    onError: useEndSetup(code),
  })
}

/** If there is an account in the meantime, the page says so. */
function useEndSetup(code: string) {
  const client = useQueryClient()
  return (error: Error) => {
    if (isApiError(error, 'NOT_FOUND')) void client.invalidateQueries({ queryKey: setupCheck(code).queryKey })
  }
}
