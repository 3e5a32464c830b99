import { z } from 'zod'

/** ISO 3166-1 alpha-2. */
export const Country = z.string().regex(/^[A-Z]{2}$/u, 'This is not a country, for example DE')

/** A streaming service, with its id at The Movie Database. */
export const StreamingService = z.object({ serviceId: z.number().int().min(1), name: z.string() })
export type StreamingService = z.infer<typeof StreamingService>
