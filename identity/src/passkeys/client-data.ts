import { z } from 'zod'

const ClientData = z.object({
  type: z.string(),
  challenge: z.base64url(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
})

/** What the browser signed of where it was asked, and what for. */
export type ClientData = z.infer<typeof ClientData>

/** Reads `clientDataJSON`, base64url of JSON; undefined when it is none. */
export function readClientData(text: string): ClientData | undefined {
  try {
    return ClientData.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))).data
  } catch {
    return undefined
  }
}
