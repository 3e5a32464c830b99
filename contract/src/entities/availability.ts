import { z } from 'zod'

import { ServerCopy } from './media-server.ts'
import { MOVIE_REQUEST_STATES } from './movie-request.ts'
import { StreamingService } from './streaming-service.ts'

/**
 * Where the movie of a card can be watched in the country of its watchlist. `streaming` includes services that are free.
 * `link` is the page that names JustWatch as the source. `havers` are the people at the open movie night who have chosen one of
 * the services. `servers` are the media servers of the watchlist that have the movie. Guests of a night see none, and a screen
 * no link. `request` is what became of the movie that was asked for, or that the caller may ask for it; null for guests and
 * screens.
 */
export const Availability = z.object({
  cardId: z.string(),
  streaming: z.array(StreamingService),
  paid: z.array(StreamingService),
  link: z.string().nullable(),
  servers: z.array(ServerCopy),
  havers: z.array(z.object({ username: z.string(), services: z.array(z.string()) })),
  request: z
    .enum(['possible', ...MOVIE_REQUEST_STATES])
    .nullable()
    .default(null),
})
export type Availability = z.infer<typeof Availability>

/** Cards whose movie is nowhere to be watched, or of which nothing is known, are left out. */
export const AvailabilityList = z.object({ cards: z.array(Availability) })
