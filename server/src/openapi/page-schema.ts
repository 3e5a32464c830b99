import type { JsonSchema } from './document-types.ts'
import { type Html, html } from '@marquee/platform/texts/html'
import { prose } from './prose.ts'
import { SCHEMA_REF } from './schemas.ts'

/** The fields of an object, or the other parts of a schema. */
export function schemaTable(schema: JsonSchema): Html {
  const { description: words, properties, required = [] } = schema
  const description = words === undefined ? undefined : prose(words)
  if (!properties)
    return html`${description}
      <p>${typeName(schema)}</p>`
  return html`${description}
    <table class="fields">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Type</th>
        </tr>
      </thead>
      <tbody>
        ${Object.entries(properties).map(
          ([name, field]) =>
            html`<tr>
              <th scope="row">
                <code>${name}</code>${required.includes(name) ? undefined : html` <small>optional</small>`}
              </th>
              <td>${typeName(field)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`
}

/** A schema in a few words, with a link if it has a name. */
export function typeName(schema: JsonSchema): Html {
  const { $ref, anyOf, items, type, format } = schema
  if ($ref !== undefined) {
    const name = $ref.slice(SCHEMA_REF.length)
    return html`<a href="#schema-${name}">${name}</a>`
  }
  if (anyOf) return joined(anyOf.map(typeName), html` or `)
  if (items) return html`list of ${typeName(items)}`
  if (schema.enum) {
    return joined(
      schema.enum.map((value) => html`<code>${String(value)}</code>`),
      html`, `,
    )
  }
  const name = format ?? (typeof type === 'object' ? type.join(' or ') : type)
  return html`${name}${limits(schema)}`
}

const LIMITS: readonly (readonly [keyword: string, words: (value: unknown) => string])[] = [
  ['minLength', (value) => `at least ${String(value)} character${value === 1 ? '' : 's'}`],
  ['maxLength', (value) => `at most ${String(value)} characters`],
  ['minimum', (value) => `from ${String(value)}`],
  ['maximum', (value) => `up to ${String(value)}`],
  ['default', (value) => `${String(value)} if not given`],
]

function limits(schema: JsonSchema): Html | undefined {
  const words = LIMITS.flatMap(([keyword, say]) => {
    const value = schema[keyword]
    return value === undefined || value === Number.MAX_SAFE_INTEGER ? [] : [say(value)]
  })
  return words.length === 0 ? undefined : html`, ${words.join(', ')}`
}

function joined(parts: readonly Html[], separator: Html): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`
}
