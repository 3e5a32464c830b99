import type { Content, OpenApiDocument, Operation, Parameter, Ref, Response } from './document-types.ts'
import { type Html, html } from '@marquee/platform/texts/html'
import { schemaTable, typeName } from './page-schema.ts'
import { phrases } from './prose.ts'

export type Place = { readonly path: string; readonly method: string; readonly operation: Operation }

const RESPONSE_REF = '#/components/responses/'

/** One call: a single line when closed, with all details when open. */
export function operationSection(document: OpenApiDocument, { path, method, operation }: Place): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  return html`<details id="${operationId}">
    <summary>
      <span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>
      <span class="what">${summary}</span>
    </summary>
    <div class="call">
      <p>${needOf(operation)} ${description}</p>
      ${parameters.length > 0 ? parameterTable(parameters) : undefined}
      ${
        requestBody &&
        html`<h4>Body</h4>
          ${Object.values(requestBody.content).map(({ schema }) => schemaTable(schema))}`
      }
      <h4>Example</h4>
      <pre tabindex="0" aria-label="Request">${requestExample(document, path, method, operation)}</pre>
      ${exampleReply(operation)}
      <h4>Answers</h4>
      <ul class="answers">
        ${Object.entries(responses).map(([status, response]) => answer(status, response))}
      </ul>
    </div>
  </details>`
}

function parameterTable(parameters: readonly Parameter[]): Html {
  return html`<table class="fields">
    <thead>
      <tr>
        <th scope="col">Parameter</th>
        <th scope="col">In</th>
        <th scope="col">Type</th>
      </tr>
    </thead>
    <tbody>
      ${parameters.map(
        ({ name, in: place, required, schema, description }) =>
          html`<tr>
            <th scope="row"><code>${name}</code>${required ? undefined : html` <small>optional</small>`}</th>
            <td>${place}</td>
            <td>${typeName(schema)}${description === undefined ? undefined : html`. ${phrases(description)}`}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

function answer(status: string, response: Response | Ref): Html {
  if ('$ref' in response) {
    const name = response.$ref.slice(RESPONSE_REF.length)
    return html`<li><code>${status}</code> <a href="#problem-${name}">${name}</a></li>`
  }
  const schemas = Object.values(response.content ?? {}).map(({ schema }) => html` ${typeName(schema)}`)
  return html`<li><code>${status}</code> ${response.description}${schemas}</li>`
}

function needOf({ security }: Operation): string {
  if (security.length === 0) return 'Needs no token.'
  return security.some((scheme) => 'personalToken' in scheme) ? 'Needs a token.' : 'Needs an id token.'
}

function requestExample({ servers }: OpenApiDocument, path: string, method: string, operation: Operation): string {
  const { parameters = [], requestBody, security } = operation
  const given = new Map(parameters.map(({ name, example }) => [name, example]))
  const query = parameters.flatMap(({ name, in: place, example }) =>
    place === 'query' && example !== undefined ? [`${name}=${encodeURIComponent(String(example))}`] : [],
  )
  const filled = path.replaceAll(/\{(\w+)\}/gu, (_match, name: string) => encodeURIComponent(String(given.get(name))))
  const body = exampleOf(requestBody?.content)
  return [
    `${method} ${servers[0]?.url ?? ''}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    ...(security.length > 0 ? ['Authorization: Bearer <token>'] : []),
    ...(body === undefined ? [] : ['Content-Type: application/json', '', body]),
  ].join('\n')
}

function exampleReply({ responses }: Operation): Html | undefined {
  const [status, success] = Object.entries(responses)[0] ?? []
  if (status === undefined || !success || '$ref' in success) return undefined
  const example = exampleOf(success.content)
  return example === undefined
    ? undefined
    : html`<pre tabindex="0" aria-label="Answer">${`${status}\n\n${example}`}</pre>`
}

function exampleOf(content: Content | undefined): string | undefined {
  const [first] = Object.values(content ?? {})
  if (first?.example === undefined) return undefined
  return typeof first.example === 'string' ? first.example : JSON.stringify(first.example, undefined, 2)
}
