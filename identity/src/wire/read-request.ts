import type { z } from 'zod'

import { CognitoError } from './cognito-error.ts'
import { WRONG_TYPE } from './fields.ts'
import { invalidParameter } from './refusals.ts'

/**
 * Parses a request. A broken constraint is refused in the words of Amazon's model, several joined; a member of the
 * wrong JSON type is a SerializationException. Values are never repeated in a message.
 */
export function readRequest<S extends z.ZodType>(schema: S, request: unknown): z.output<S> {
  const parsed = schema.safeParse(withoutNulls(request))
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  if (issues.some((issue) => issue.message === WRONG_TYPE)) throw serializationFault()
  const clauses = issues.map(
    (issue) => `Value at '${memberName(issue.path)}' failed to satisfy constraint: ${issue.message}`,
  )
  throw invalidParameter(
    `${clauses.length} validation error${clauses.length === 1 ? '' : 's'} detected: ${clauses.join('; ')}`,
  )
}

export function serializationFault(): CognitoError {
  return new CognitoError('SerializationException', 'The request body is not a JSON object of the expected shape')
}

function withoutNulls(request: unknown): unknown {
  if (Array.isArray(request)) return request.map(withoutNulls)
  if (typeof request !== 'object' || request === null) return request
  const members = Object.entries(request).filter(([, value]) => value !== null)
  return Object.fromEntries(members.map(([name, value]): [string, unknown] => [name, withoutNulls(value)]))
}

function memberName(path: readonly PropertyKey[]): string {
  return path.map((part) => (typeof part === 'number' ? `${part + 1}.member` : lowerCamel(String(part)))).join('.')
}

function lowerCamel(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}
