import type { OpenApiDocument } from './document-types.ts'
import { type Html, html } from '@marquee/platform/texts/html'
import { operationSection, type Place } from './page-operation.ts'
import { schemaTable } from './page-schema.ts'
import { phrases, prose } from './prose.ts'

/** The document as a web page. It has no script, so it works under the strictest content security policy. */
export function docsPage(
  document: OpenApiDocument,
  { styleUrl, documentUrl }: { styleUrl: string; documentUrl: string },
): string {
  const { info, tags, components } = document
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="dark light" />
        <title>${info.title} API</title>
        <link rel="stylesheet" href="${styleUrl}" />
      </head>
      <body>
        <header>
          <h1>${info.title} API <small>${info.version}</small></h1>
          ${prose(info.description)}
          <p><a href="${documentUrl}">openapi.json</a> is the same for programs (OpenAPI ${document.openapi}).</p>
        </header>
        <nav aria-label="Contents">
          <ul>
            ${tags.map((tag) => html`<li><a href="#${tag.name}">${tag.name}</a></li>`)}
            <li><a href="#schemas">Schemas</a></li>
            <li><a href="#problems">Problems</a></li>
          </ul>
        </nav>
        <main>
          ${tags.map(
            (tag) =>
              html`<section aria-labelledby="${tag.name}">
                <h2 id="${tag.name}">${tag.name}</h2>
                <p>${tag.description}</p>
                ${placesOf(document, tag.name).map((place) => operationSection(document, place))}
              </section>`,
          )}
          <section aria-labelledby="schemas">
            <h2 id="schemas">Schemas</h2>
            ${Object.entries(components.schemas).map(
              ([name, schema]) =>
                html`<h3 id="schema-${name}">${name}</h3>
                  ${schemaTable(schema)}`,
            )}
          </section>
          ${problems(document)}
        </main>
      </body>
    </html>`.text
}

function placesOf({ paths }: OpenApiDocument, tag: string): Place[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation.tags.includes(tag) ? [{ path, method: method.toUpperCase(), operation }] : [],
    ),
  )
}

function problems({ components }: OpenApiDocument): Html {
  const rows = Object.entries(components.responses).map(([name, { description, content }]) => {
    const example = JSON.stringify(content?.['application/json']?.example)
    return html`<tr id="problem-${name}">
      <th scope="row"><code>${name}</code></th>
      <td>${phrases(description)}</td>
      <td><code>${example}</code></td>
    </tr>`
  })
  return html`<section aria-labelledby="problems">
    <h2 id="problems">Problems</h2>
    <div class="wide" role="region" aria-label="Problems" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Meaning</th>
            <th scope="col">Body</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
  </section>`
}
