import type { z } from 'zod'

import { CognitoError, invalidParameter } from '../errors/refusals.ts'
import type { Pool } from '../ports.ts'
import { WRONG_TYPE } from './fields.ts'

/** No honest request is nested deeper; the extensions of a passkey come closest. */
const DEEPEST = 16
/** The maximum number of violated constraints in a message. */
const MOST_CLAUSES = 10
const LONGEST_VALUE = 64

/**
 * Parses a request. Violated constraints are reported in the words of Amazon's model, joined into one message; a wrong
 * JSON type is a SerializationException. Messages repeat a value only where it is not one of a fixed list.
 */
export function readRequest<S extends z.ZodType>(schema: S, request: unknown): z.output<S> {
  const given = withoutNulls(request, DEEPEST)
  const parsed = schema.safeParse(given)
  if (parsed.success) {
    if (containsNul(given)) throw invalidParameter('Text must not contain NUL characters.')
    return parsed.data
  }
  const { issues } = parsed.error
  if (issues.some((issue) => issue.message === WRONG_TYPE)) throw serializationFault()
  const clauses = issues.slice(0, MOST_CLAUSES).map((issue) => clauseOf(issue, given))
  throw invalidParameter(
    `${issues.length} validation error${issues.length === 1 ? '' : 's'} detected: ${clauses.join('; ')}`,
  )
}

function clauseOf(issue: z.core.$ZodIssue, given: unknown): string {
  const value = issue.code === 'invalid_value' ? memberAt(given, issue.path) : undefined
  const shown = typeof value === 'string' ? ` '${value.slice(0, LONGEST_VALUE)}'` : ''
  return `Value${shown} at '${memberName(issue.path)}' failed to satisfy constraint: ${issue.message}`
}

function memberAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((member, name) => (member as Record<PropertyKey, unknown> | undefined)?.[name], given)
}

export function serializationFault(): CognitoError {
  return new CognitoError('SerializationException', 'The request body is not a JSON object of the expected shape')
}

/** For maps of parameters, whose values no schema checks. PostgreSQL cannot store NUL. */
function containsNul(given: unknown): boolean {
  if (typeof given === 'string') return given.includes('\0')
  return typeof given === 'object' && given !== null && Object.values(given).some(containsNul)
}

/** @throws SerializationException for a value nested deeper than `levels`. */
function withoutNulls(request: unknown, levels: number): unknown {
  if (typeof request !== 'object' || request === null) return request
  if (levels === 0) throw serializationFault()
  if (Array.isArray(request)) return request.map((member) => withoutNulls(member, levels - 1))
  const members = Object.entries(request).filter(([, value]) => value !== null)
  return Object.fromEntries(members.map(([name, value]): [string, unknown] => [name, withoutNulls(value, levels - 1)]))
}

function memberName(path: readonly PropertyKey[]): string {
  return path.map((part) => (typeof part === 'number' ? `${part + 1}.member` : lowerCamel(String(part)))).join('.')
}

function lowerCamel(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** One call of the user pool API: takes the parsed JSON body and returns the reply. */
export type Operation<Ports> = (ports: Ports & Pick<Pool, 'clientId'>, request: unknown) => Promise<object>

/** An operation that checks the request by `schema` and rejects unknown clients. */
export function operation<S extends z.ZodType, Ports>(
  schema: S,
  run: (ports: Ports, input: z.output<S>) => Promise<object>,
): Operation<Ports> {
  return async (ports, request) => {
    const input = readRequest(schema, request)
    requireClient(ports, input)
    return await run(ports, input)
  }
}

function requireClient(pool: Pick<Pool, 'clientId'>, input: unknown): void {
  if (typeof input !== 'object' || input === null || !('ClientId' in input)) return
  if (input.ClientId === pool.clientId) return
  throw new CognitoError('ResourceNotFoundException', `User pool client ${String(input.ClientId)} does not exist.`)
}

/** The position in a list, which the client sends back; it reveals nothing beyond the list. */
export function toPageToken(lastKey: string): string {
  return Buffer.from(lastKey, 'utf8').toString('base64url')
}

/** The key to continue after; empty for the beginning. */
export function readPageToken(token: string | undefined): string {
  return Buffer.from(token ?? '', 'base64url')
    .toString('utf8')
    .replaceAll('\0', '')
}
