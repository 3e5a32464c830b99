import type { z } from 'zod'

/** What a JSON text holds; undefined if it is not JSON, or not of this shape. */
export function readJson<Value>(schema: z.ZodType<Value>, text: string | null | undefined): Value | undefined {
  try {
    return schema.safeParse(JSON.parse(text ?? '')).data
  } catch {
    return undefined
  }
}
