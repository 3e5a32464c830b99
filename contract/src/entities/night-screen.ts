import { z } from 'zod'

import { Card } from './card.ts'
import { Night } from './night.ts'
import { NightVote } from './vote.ts'

/** A movie on the big screen. It is never in the box. A server of the version before sends no `acceptedAt`. */
const ScreenMovie = Card.pick({
  id: true,
  title: true,
  imageUrl: true,
  posterState: true,
  movie: true,
  status: true,
}).extend({ acceptedAt: z.iso.datetime().nullable().default(null) })
export type ScreenMovie = z.infer<typeof ScreenMovie>

const ScreenVote = NightVote.pick({ drawNumber: true, closedAt: true, present: true, voted: true, winner: true })

/**
 * A night as the big screen shows it: no vote of a person, nothing of the box. `present` are members, then guests, in the
 * order they arrived. While
 * `isDrawing`, a draw was just prepared. `movie` is the card that was revealed or accepted last, unless it was declined or
 * put back. `vote` is the latest one; its `movies` are in the order drawn, without those that went back into the box. `wasVetoed` is that
 * of the vote.
 */
export const NightScreen = Night.pick({ id: true, watchlistId: true, state: true, place: true, joinCode: true }).extend(
  {
    watchlistName: z.string(),
    present: z.array(z.object({ name: z.string(), avatarUrl: z.string().nullable() })),
    isDrawing: z.boolean(),
    movie: ScreenMovie.nullable(),
    wasVetoed: z.boolean(),
    vote: ScreenVote.extend({ movies: z.array(ScreenMovie) }).nullable(),
  },
)
export type NightScreen = z.infer<typeof NightScreen>

/** A screen without an account that shows a night. `by` is the member who let it in. */
export const PairedScreen = z.object({ screenId: z.string(), by: z.string(), since: z.iso.datetime() })
export type PairedScreen = z.infer<typeof PairedScreen>

/** What a screen needs to show its night. The token is sent as a bearer token. */
export const ScreenPass = z.object({ nightId: z.string(), screenId: z.string(), token: z.string() })
export type ScreenPass = z.infer<typeof ScreenPass>
