import type { z } from 'zod'

import { type Endpoint, type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'

import type { JsonSchema } from './document-types.ts'
import samples from './samples.json' with { type: 'json' }
import { type Direction, jsonSchemaOf, namedSchemas, SCHEMA_REF } from './schemas.ts'

type Fields = Readonly<Record<string, unknown>>

/** The example of a call. `params`, `query` and `body` are what it sends. */
export type Example = {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly reply?: unknown
  readonly event?: unknown
}

/** The value of each `field`, or of `owner.field`: the owner is a named schema, or else the field that holds the object. */
const FIELDS: Fields = samples.fields
/** What is special about one call. */
const CALLS: Readonly<Record<string, Example>> = samples.calls
const SCHEMAS = namedSchemas()

/** The example of a call, composed of the samples of its fields. A reply repeats what was sent. */
export function exampleOf(name: EndpointName): Example {
  const { params, query, body, reply, events }: Endpoint = ENDPOINTS[name]
  const own = CALLS[name] ?? {}
  const sent = {
    params: partOf(params, own.params, 'input'),
    query: partOf(query, own.query, 'input'),
    // Its schema does not describe the cards, which are checked one by one.
    body: name === 'restoreWatchlist' ? exampleOf('exportWatchlist').reply : partOf(body, own.body, 'input'),
  }
  const repeated = { ...asFields(sent.params), ...asFields(sent.body), ...asFields(own.reply) }
  const replied = Array.isArray(own.reply) ? own.reply : repeated
  return { ...sent, reply: partOf(reply, replied, 'output'), event: partOf(events, own.event, 'output') }
}

function partOf(schema: z.ZodType | undefined, sample: unknown, direction: Direction): unknown {
  return schema && valueOf(jsonSchemaOf(schema, direction), { sample, direction, name: '' })
}

/** `name` is that of the schema, or else of the field. A sample that does not fit the schema is for another field of this name. */
type Given = { readonly sample: unknown; readonly direction: Direction; readonly name: string }

function valueOf(schema: JsonSchema, given: Given): unknown {
  const { sample, name } = given
  if (sample === null) return null
  if (schema.$ref !== undefined) {
    const id = schema.$ref.slice(SCHEMA_REF.length)
    return valueOf(SCHEMAS[id] ?? {}, { ...given, name: id })
  }
  if (schema.anyOf) {
    const [first = {}] = schema.anyOf
    // A text or a number that may be null is null without a sample.
    const value = valueOf(first, given)
    return sample === undefined && typeof value !== 'object' ? null : value
  }
  if (schema.type === 'array') {
    const items: readonly unknown[] = Array.isArray(sample) ? sample : [undefined]
    return items.map((item) => valueOf(schema.items ?? {}, { ...given, sample: item }))
  }
  if (schema.type === 'object') return objectOf(schema, given)
  return sample === undefined || typeof sample === 'object' ? withoutSample(schema, name) : sample
}

function objectOf({ properties, required = [] }: JsonSchema, { sample, direction, name }: Given): Fields {
  const own = asFields(sample)
  if (!properties) return own
  return Object.fromEntries(
    Object.entries(properties).flatMap(([field, schema]) => {
      const isRequired = required.includes(field)
      const near = field in own ? own[field] : FIELDS[`${name}.${field}`]
      // A reply has an optional field only where its sample is for this place.
      const known = near === undefined && (isRequired || direction === 'input') ? FIELDS[field] : near
      if (known === undefined && !isRequired) return []
      return [[field, valueOf(schema, { sample: known, direction, name: field })]]
    }),
  )
}

function withoutSample(
  { type, format, enum: choices, const: only, default: usual }: JsonSchema,
  name: string,
): unknown {
  if (typeof type === 'object') return null
  if (type === 'boolean') return usual ?? false
  const anything = type === 'string' ? name : 1
  return usual ?? only ?? choices?.[0] ?? (format === 'date-time' ? FIELDS['createdAt'] : anything)
}

function asFields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
