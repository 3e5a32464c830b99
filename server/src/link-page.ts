import type { FastifyInstance, FastifyReply } from 'fastify'

import { RATE_LIMITS } from '@marquee/contract/rate-limits'
import { HttpProblem } from '@marquee/platform/http/problem'
import { takeByAddress } from '@marquee/platform/limits/by-address'
import type { RateLimiter } from '@marquee/platform/limits/rate-limiter'
import { type Html, html } from '@marquee/platform/texts/html'

import { problemFor } from './openapi/problem-replies.ts'
import { pageTitle, PRODUCT_NAME } from './texts/product-name.ts'
import type { LOCALES } from './texts/texts.ts'

const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
}
const MAX_FORM_BYTES = 10_000

/**
 * Serves the pages behind links of mails, which need no sign-in. Opening one changes nothing, because programs open the
 * links of mails, too: a button does. The body of a form comes as text. Calls count by address.
 */
export async function linkPages(
  app: FastifyInstance,
  { limiter }: { readonly limiter: RateLimiter },
  routes: (page: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (page) => {
    page.addHook('onRequest', async ({ ip }) => {
      const refusal = await takeByAddress(limiter, 'pages of links', ip, RATE_LIMITS.write)
      if (!refusal) return
      const headers = { 'retry-after': String(refusal.retryAfterSeconds) }
      throw new HttpProblem({ status: 429, ...problemFor(429), headers })
    })
    page.removeAllContentTypeParsers()
    page.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    routes(page)
  })
}

const STYLE = html`<style>
  :root {
    color-scheme: light dark;
    font:
      1rem/1.55 system-ui,
      sans-serif;
    background: light-dark(#faf7f2, #121014);
    color: light-dark(#221d26, #f4efe8);
    --accent: light-dark(#8f4d00, #ffb547);
  }
  main {
    max-width: 32rem;
    margin: 10vh auto 0;
    padding: 0 1rem;
  }
  .brand {
    color: var(--accent);
    font-size: 1.25rem;
    font-weight: 700;
  }
  h1 {
    line-height: 1.2;
  }
  a {
    color: var(--accent);
  }
  button {
    min-height: 2.75rem;
    padding: 0 1.25rem;
    border: 0;
    border-radius: 0.625rem;
    background: var(--accent);
    color: light-dark(#fff, #1d1302);
    font: inherit;
    font-weight: 600;
    cursor: pointer;
  }
  fieldset {
    margin: 0 0 1rem;
    padding: 0;
    border: 0;
  }
  legend {
    padding: 0;
    font-weight: 600;
  }
  label {
    display: inline-flex;
    align-items: center;
    gap: 0.5rem;
    min-height: 2.75rem;
    padding-inline-end: 1.25rem;
  }
  input {
    width: 1.25rem;
    height: 1.25rem;
    accent-color: var(--accent);
  }
</style> `

/** Sends a page in the design of the product. */
export async function sendPage(
  reply: FastifyReply,
  { language, direction }: ReturnType<typeof LOCALES.of>,
  { title, content }: { title: string; content: Html },
): Promise<FastifyReply> {
  return await reply
    .headers(HEADERS)
    .type('text/html; charset=utf-8')
    .send(
      html`<!doctype html>
        <html lang="${language}" dir="${direction}">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <title>${pageTitle(title)}</title>
            ${STYLE}
          </head>
          <body>
            <main>
              <p class="brand">${PRODUCT_NAME}</p>
              <h1>${title}</h1>
              ${content}
            </main>
          </body>
        </html> `.text,
    )
}
