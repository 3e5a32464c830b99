import { RestorableExport, WatchlistExport } from '../../contract/src/entities/export.ts'
import type { Content, JsonSchema, OpenApiDocument } from '../../server/src/openapi/document-types.ts'
import { openApiDocument } from '../../server/src/openapi/document.ts'
import { SettingsSchema } from '../../server/src/settings/settings.ts'

/**
 * A field as others see it. `values` are those of an enumeration. `least` and `most` are limits
 * of a number or of the length of a text or list. A field of a reply that is `optional` may be absent.
 */
export type Field = {
  readonly types: readonly string[]
  readonly optional?: true
  readonly values?: readonly unknown[]
  readonly least?: number
  readonly most?: number
}

/** Fields by their path, such as `cards[].movie.year`. */
export type Fields = Readonly<Record<string, Field>>

export type Call = {
  readonly status: string
  readonly guests: boolean
  readonly takes: Fields
  readonly replies: Fields
}

/** What programs of others rely on. `docs/versions.md` says what is promised of it. */
export type Surface = {
  readonly version: string
  /** By method and path, such as `GET /watchlists/{watchlistId}/cards`. */
  readonly calls: Readonly<Record<string, Call>>
  /** Bodies of messages by kind. */
  readonly webhooks: Readonly<Record<string, Fields>>
  /** What an export has, and what a restore takes. */
  readonly exports: { readonly written: Fields; readonly read: Fields }
  /** A setting that is not optional must be set. */
  readonly settings: Readonly<Record<string, Field & { readonly standard?: string }>>
}

type Definitions = Readonly<Record<string, JsonSchema>>

/** The surface of this tree. */
export function surface(): Surface {
  const document = openApiDocument()
  const { schemas } = document.components
  return {
    version: document.info.version,
    calls: callsOf(document),
    webhooks: Object.fromEntries(
      Object.entries(document.webhooks).map(([kind, { post }]) => [
        kind,
        bodyFields(post.requestBody.content, schemas),
      ]),
    ),
    exports: {
      written: fieldsOf(WatchlistExport.toJSONSchema() as JsonSchema, {}),
      read: fieldsOf(RestorableExport.toJSONSchema({ io: 'input' }) as JsonSchema, {}),
    },
    settings: settings(),
  }
}

function callsOf({ paths, components: { schemas } }: OpenApiDocument): Record<string, Call> {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, responses, security }]): [string, Call] => {
      const [status = '', reply] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
      const given = parameters.map(({ name, in: where, required, schema }): [string, Field] => [
        `${where} ${name}`,
        { ...fieldOf(schema, schemas), ...(!required && { optional: true }) },
      ])
      const content = reply !== undefined && 'content' in reply ? reply.content : undefined
      return [
        `${method.toUpperCase()} ${path}`,
        {
          status,
          guests: security.length === 0 || security.some((way) => Object.keys(way).length === 0),
          takes: { ...Object.fromEntries(given), ...bodyFields(requestBody?.content, schemas) },
          replies: bodyFields(content, schemas),
        },
      ]
    }),
  )
  return Object.fromEntries(calls.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function bodyFields(content: Content | undefined, definitions: Definitions): Fields {
  const schema = content?.['application/json']?.schema
  return schema === undefined ? {} : fieldsOf(schema, definitions)
}

/** Every field below a schema. Fields of alternatives are united, and optional unless all alternatives have them. */
function fieldsOf(schema: JsonSchema, definitions: Definitions): Record<string, Field> {
  const found = new Map<string, Field>()
  visit(schema, '', true)
  return Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)))

  function visit(given: JsonSchema, path: string, isRequired: boolean): void {
    const field = { ...fieldOf(given, definitions), ...(!isRequired && { optional: true as const }) }
    if (path !== '') found.set(path, united(found.get(path), field))
    const alternatives = alternativesOf(given, definitions)
    for (const { properties = {}, required = [], items } of alternatives) {
      for (const [name, below] of Object.entries(properties)) {
        const isInAll = alternatives.every((one) => one.properties === undefined || one.properties[name] !== undefined)
        visit(below, path === '' ? name : `${path}.${name}`, isInAll && required.includes(name))
      }
      if (items !== undefined) visit(items, `${path}[]`, true)
    }
  }
}

/** The schemas one of which a value meets, without references. */
function alternativesOf(given: JsonSchema, definitions: Definitions): JsonSchema[] {
  const schema = resolved(given, definitions)
  const among = schema.anyOf ?? (schema['oneOf'] as readonly JsonSchema[] | undefined)
  return among === undefined ? [schema] : among.flatMap((one) => alternativesOf(one, definitions))
}

function resolved(schema: JsonSchema, definitions: Definitions): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  if (name === undefined) return schema
  const definition = definitions[name]
  if (definition === undefined) throw new Error(`There is no schema ${name}`)
  return resolved(definition, definitions)
}

function fieldOf(schema: JsonSchema, definitions: Definitions): Field {
  return alternativesOf(schema, definitions)
    .map((one): Field => {
      const values = one.enum ?? ('const' in one ? [one['const']] : undefined)
      const least = limitOf(one, ['minimum', 'minLength', 'minItems'])
      const most = limitOf(one, ['maximum', 'maxLength', 'maxItems'])
      return {
        types: [one.type ?? 'any'].flat(),
        ...(values && { values }),
        ...(least !== undefined && { least }),
        ...(most !== undefined && { most }),
      }
    })
    .reduce((all, one) => united(all, one))
}

function limitOf(schema: JsonSchema, names: readonly string[]): number | undefined {
  const limit = names.map((name) => schema[name]).find((value) => typeof value === 'number')
  // Zod gives every integer the limits of safe integers.
  return limit === undefined || Math.abs(limit) === Number.MAX_SAFE_INTEGER ? undefined : limit
}

/** What is one or the other. Only alternatives that all have a limit or a list of values have one. */
function united(one: Field | undefined, other: Field): Field {
  if (one === undefined) return other
  const limited = [one, other].filter(({ types }) => types.some((type) => type !== 'null'))
  const values = limited.every((field) => field.values) ? limited.flatMap((field) => field.values ?? []) : undefined
  const leasts = limited.flatMap(({ least }) => least ?? [])
  const mosts = limited.flatMap(({ most }) => most ?? [])
  return {
    types: [...new Set([...one.types, ...other.types])].toSorted(),
    ...((one.optional ?? other.optional) && { optional: true }),
    ...(values && { values: [...new Set(values)] }),
    ...(leasts.length === limited.length && leasts.length > 0 && { least: Math.min(...leasts) }),
    ...(mosts.length === limited.length && mosts.length > 0 && { most: Math.max(...mosts) }),
  }
}

function settings(): Surface['settings'] {
  const { properties = {}, required = [] } = SettingsSchema.toJSONSchema({ io: 'input' }) as JsonSchema
  return Object.fromEntries(
    Object.entries(properties)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, schema]) => {
        const standard = schema['default']
        const field = fieldOf(schema, {})
        const isOptional = !required.includes(name)
        return [
          name,
          { ...field, ...(isOptional && { optional: true }), ...(typeof standard === 'string' && { standard }) },
        ]
      }),
  )
}
