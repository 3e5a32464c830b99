import type { z } from 'zod'

import { type EndpointName, type Endpoint, ENDPOINTS, MAX_BODY_BYTES } from '@marquee/contract/endpoints'
import { RATE_LIMITS, type RateLimitName } from '@marquee/contract/rate-limits'

import type { Content, Headers, JsonSchema, Operation, Parameter, Response } from './document-types.ts'
import { type Example, exampleOf } from './examples.ts'
import { refusalsOf } from './problem-responses.ts'
import { jsonSchemaOf } from './schemas.ts'

/** The empty alternative allows guests. */
const SECURITY = {
  required: [{ idToken: [] }, { personalToken: [] }],
  'sign-in': [{ idToken: [] }],
  'user-or-pass': [{ idToken: [] }, { personalToken: [] }, { nightPass: [] }],
  'by-link': [{ idToken: [] }, { personalToken: [] }, {}],
  none: [],
}

const text: JsonSchema = { type: 'string' }

/** One call of the contract as an OpenAPI operation. */
export function operationOf(name: EndpointName, tag: string): Operation {
  const endpoint: Endpoint = ENDPOINTS[name]
  const example = exampleOf(name)
  const parameters = parametersOf(endpoint, example)
  return {
    operationId: name,
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    tags: [tag],
    security: SECURITY[endpoint.auth],
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && {
      requestBody: { required: true, content: json(jsonSchemaOf(endpoint.body, 'input'), example.body) },
    }),
    responses: {
      [endpoint.status]: successOf(endpoint, example),
      ...(endpoint.revalidates && { 304: { description: 'What you hold is still right.' } }),
      ...refusalsOf(endpoint),
    },
  }
}

/** The path as OpenAPI writes it: `{name}` for `:name`. */
export function templateOf({ path }: Endpoint): string {
  return path.replaceAll(/:(\w+)/gu, '{$1}')
}

function parametersOf(endpoint: Endpoint, example: Example): Parameter[] {
  const header = (name: string, description: string, schema: JsonSchema = text): Parameter => ({
    name,
    in: 'header',
    required: false,
    description,
    schema,
  })
  return [
    ...fieldsOf(endpoint.params, 'path', example.params),
    ...fieldsOf(endpoint.query, 'query', example.query),
    ...(endpoint.takesKey
      ? [
          header(
            'Idempotency-Key',
            'Repeated with the same key within seven days, the request is answered as it first was and changes nothing.',
            { type: 'string', pattern: '^[\\u0021-\\u007E]{16,128}$' },
          ),
        ]
      : []),
    ...(endpoint.revalidates ? [header('If-None-Match', 'The `ETag` of what you hold.')] : []),
  ]
}

function fieldsOf(schema: z.ZodObject | undefined, where: 'path' | 'query', example: unknown): Parameter[] {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchemaOf(schema, 'input')
  const examples = new Map<string, string | number>(Object.entries(example ?? {}))
  return Object.entries(properties).map(([name, fieldSchema]) => {
    const value = examples.get(name)
    return {
      name,
      in: where,
      required: required.includes(name),
      schema: fieldSchema,
      ...(value !== undefined && { example: value }),
    }
  })
}

function successOf(endpoint: Endpoint, example: Example): Response {
  const headers: Headers = {
    ...(endpoint.takesKey && {
      'Idempotency-Replayed': { description: '`true` where an earlier answer is repeated.', schema: text },
    }),
    ...(endpoint.revalidates && { ETag: { description: 'The version of this answer.', schema: text } }),
  }
  const content = contentOf(endpoint, example)
  return {
    description: endpoint.status === 204 ? 'Done.' : 'As asked for.',
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(content && { content }),
  }
}

function contentOf({ reply, events, files = [] }: Endpoint, example: Example): Content | undefined {
  const asText = files.map((type) => [type, { schema: text, example: undefined }] as const)
  if (reply) {
    return { ...json(jsonSchemaOf(reply, 'output'), example.reply), ...Object.fromEntries(asText) }
  }
  if (!events) return files.length > 0 ? Object.fromEntries(asText) : undefined
  const { $ref } = jsonSchemaOf(events, 'output')
  const description = `Server-sent events. The data of each is one line of JSON: ${String($ref)}. Comments keep it alive.`
  const stream = `retry: 2000\n: open\n\ndata: ${JSON.stringify(example.event)}\n\n`
  return { 'text/event-stream': { schema: { type: 'string', description }, example: stream } }
}

function json(schema: JsonSchema, example: unknown): Content {
  return { 'application/json': { schema, example } }
}

function descriptionOf({ auth, method, limit = 'read', takesImage, bodyLimit = MAX_BODY_BYTES }: Endpoint): string {
  const sentences = [scopeOf(auth, method), limitOf(limit)].filter((sentence) => sentence !== '')
  if (takesImage !== undefined) {
    sentences.push(`The body may have ${bodyLimit} bytes.`)
    if (limit !== 'upload') sentences.push(`With a data URL in \`${takesImage}\`: ${limitOf('upload')}`)
  }
  return sentences.join(' ')
}

function scopeOf(auth: Endpoint['auth'], method: Endpoint['method']): string {
  if (auth === 'none') return ''
  if (auth === 'sign-in') return 'A personal token cannot make this call.'
  return `A personal token needs the scope \`${method === 'GET' ? 'read' : 'write'}\`.`
}

function limitOf(name: RateLimitName): string {
  const { max, windowSeconds } = RATE_LIMITS[name]
  return `At most ${max} calls in ${windowSeconds} seconds, counted with all others of the kind “${name}”.`
}
