import { NIGHT_GUEST_ENDPOINTS } from '@marquee/contract/endpoints/night-guests'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { z } from 'zod'

import { useCreation } from '#web/api/call.ts'
import { readJson } from '#web/api/read-json.ts'
import { useDraft } from '#web/session/drafts.ts'

import { nightList } from './night-list.ts'

const PhoneGuest = z.object({ guestId: z.string(), token: z.string() })
/** A guest who has no phone, with the token that votes for them. */
export type PhoneGuest = z.infer<typeof PhoneGuest>

const Kept = z.object({ guests: z.array(PhoneGuest), passedIn: z.number().nullable() })
/** The guests who vote on this device, and the draw in whose vote it is passed round. */
type Kept = z.infer<typeof Kept>

export type Phone = Kept & { keep: (change: (latest: Kept) => Partial<Kept>) => void }

/** The guests of a night who vote on this device. They stay in this tab until its user signs out. */
export function usePhoneGuests(nightId: string): Phone {
  const draft = useDraft(`phone-guests.${nightId}`)
  const [kept, setKept] = useState<Kept>(() => readJson(Kept, draft.read()) ?? { guests: [], passedIn: null })
  // An answer may arrive on another page than the one that asked.
  const latest = useRef(kept)
  return {
    ...kept,
    keep: (change) => {
      latest.current = { ...latest.current, ...change(latest.current) }
      setKept(latest.current)
      draft.save(JSON.stringify(latest.current))
    },
  }
}

/** Adds a guest who has no phone, and keeps their token. */
export function useAddPhoneGuest({ id: nightId, watchlistId }: { id: string; watchlistId: string }, phone: Phone) {
  const client = useQueryClient()
  const add = useCreation(NIGHT_GUEST_ENDPOINTS.addGuest, { nightId })
  return useMutation({
    mutationFn: async (nickname: string) => add({ nickname }),
    onSuccess: async ({ token, guest: { guestId } }) => {
      phone.keep(({ guests }) => ({ guests: [...guests, { guestId, token }] }))
      await client.invalidateQueries({ queryKey: nightList(watchlistId).queryKey })
    },
  })
}
