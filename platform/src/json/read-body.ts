import type { z } from 'zod'

import { splitJson } from './split-json.ts'

/** A body that its schema rejects. The message has one sentence per mistake, each beginning with the name of the field. */
export class InvalidBody extends Error {
  override readonly name = 'InvalidBody'
}

/** Reads the bytes of a body as HTTP routes read small ones. @throws {InvalidBody} @throws {TooComplex} */
export function readBody<T extends z.ZodType>(schema: T, body: Uint8Array): z.output<T> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  // It refuses what would take too much memory.
  splitJson(bytes, '')
  return checkBody(schema, bytes.length === 0 ? undefined : parseBody(bytes.toString('utf8')))
}

/** @throws {InvalidBody} */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidBody('body: this is not valid JSON')
  }
}

/** @throws {InvalidBody} */
export function checkBody<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const { data, error } = schema.safeParse(value)
  if (error) throw new InvalidBody(describeIssues(error.issues))
  return data as z.output<T>
}

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string }

/** As `describeValidation` describes what a route rejects. */
export function describeIssues(issues: readonly Issue[]): string {
  return issues
    .map(({ path, message }) => `${path.length === 0 ? 'body' : path.map(String).join('.')}: ${message}`)
    .join('; ')
}
