import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { readEmail, readSecondFactors } from '#web/session/account-security.ts'

/** What is asked for after the password. */
export const secondFactors = queryOptions({ queryKey: ['account', 'second-factors'], queryFn: readSecondFactors })

/** The address the user signs in with. */
export const ownEmail = queryOptions({ queryKey: ['account', 'email'], queryFn: readEmail })

/** A change of the account, after which everything shown of it is asked for again. */
export function useAccountChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: async () => queryClient.invalidateQueries({ queryKey: ['account'] }),
  })
}
