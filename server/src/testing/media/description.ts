import type { IncomingMessage } from 'node:http'

import type { z } from 'zod'

/** A request as a stand-in reads it. */
export type Asked = {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Reply = { readonly status: number; readonly body?: unknown }

/** One operation as the published description of a service has it. */
export type Operation = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The path; its groups are its parameters. */
  readonly path: RegExp
  /** All names that a query may have, with what each may be. */
  readonly query?: Readonly<Record<string, RegExp>>
  readonly required?: readonly string[]
  readonly headers?: Readonly<Record<string, RegExp>>
  /** Whether there is a JSON object in the body; none has one otherwise. */
  readonly hasBody?: boolean
  /** What the body must be, which is JSON. */
  readonly body?: z.ZodType
  /** Whether anyone may ask. */
  readonly isOpen?: boolean
  readonly answer: (asked: Asked, parameters: Readonly<Record<string, string>>) => Reply
}

/** What is wrong with a request; empty if it is as described. */
export function deviationsOf({ query, headers, body }: Asked, operation: Operation): string[] {
  const allowed = operation.query ?? {}
  return [
    ...Object.entries(query).flatMap(([name, value]) => {
      const pattern = allowed[name]
      if (!pattern) return [`the parameter ${name} is not described`]
      return pattern.test(value) ? [] : [`${name}=${value} is not as described`]
    }),
    ...(operation.required ?? []).filter((name) => !(name in query)).map((name) => `the parameter ${name} is missing`),
    ...Object.entries(operation.headers ?? {})
      .filter(([name, pattern]) => !pattern.test(String(headers[name] ?? '')))
      .map(([name]) => `the header ${name} is not as described`),
    ...(headers.accept === 'application/json' ? [] : ['the header accept is not application/json']),
    ...bodyDeviations(body, headers, operation.hasBody === true || operation.body !== undefined),
    ...(operation.body?.safeParse(jsonOf(body)).success === false ? ['the body is not as described'] : []),
  ]
}

function bodyDeviations(body: string, headers: IncomingMessage['headers'], hasBody: boolean): string[] {
  if (!hasBody) return body === '' ? [] : ['a body is not described']
  if (headers['content-type'] !== 'application/json') return ['the body is not said to be JSON']
  return /^\{.*\}$/su.test(body) ? [] : ['the body is not a JSON object']
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const WHOLE_NUMBER = /^\d{1,9}$/u
export const BOOLEAN = /^(?:true|false)$/u

/** A list of these words, separated by commas. */
export function listOf(...words: readonly string[]): RegExp {
  const word = `(?:${words.join('|')})`
  return new RegExp(`^${word}(?:,${word})*$`, 'u')
}
