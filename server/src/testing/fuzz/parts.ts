import fc, { type Arbitrary } from 'fast-check'

import { anyText } from './values.ts'

/** A request whose `Known` values are filled in when it is sent. */
export type FuzzRequest = {
  readonly name: string
  readonly method: string
  /** With `{name}` for each parameter of `params`. */
  readonly path: string
  readonly params: Readonly<Record<string, unknown>>
  readonly query: readonly (readonly [name: string, value: unknown])[]
  readonly headers: Readonly<Record<string, unknown>>
  /** The number of the user who sends it. The next number is a guest, and the one after that has an invalid token. */
  readonly caller: number
  readonly body:
    | { readonly raw: string }
    | { readonly json: unknown }
    | { readonly form: Readonly<Record<string, unknown>> }
    | undefined
  /** Whether the client closes the connection in the middle of the body. */
  readonly isCut: boolean
}

const NO_JSON = [
  '',
  '{',
  '{"a":1,}',
  'null',
  '[]',
  '"',
  '\uFEFF{}',
  '{"__proto__":{}}',
  '{"a":NaN}',
  `${'['.repeat(20_000)}`,
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
]

export const rawBody: Arbitrary<{ raw: string }> = fc.record({ raw: fc.oneof(fc.constantFrom(...NO_JSON), anyText) })

export const headerText: Arbitrary<string> = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code)),
})

/** One of sixty requests is cut off. */
export const isCut: Arbitrary<boolean> = fc.nat({ max: 59 }).map((n) => n === 0)

/** Mostly a user, sometimes a guest or an invalid token. */
export function callerOf(users: number): Arbitrary<number> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.nat({ max: users - 1 }) },
    { weight: 1, arbitrary: fc.constantFrom(users, users + 1) },
  )
}

/** A request as it is sent. */
export type Sent = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string | undefined
  readonly isCut: boolean
  /** Whether the reply may be an event stream, of which only the beginning is read. */
  readonly isStream: boolean
}

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** Resolves to undefined if the client closed the connection. */
export type Send = (sent: Sent) => Promise<Reply | undefined>
