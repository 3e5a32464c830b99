import type { FastifyInstance } from 'fastify'

import type { Language } from '@marquee/contract/languages'
import { html } from '@marquee/platform/texts/html'

import { languageOfLink, unsubscribe } from './rooms/news/notifications/unsubscribe.ts'
import { PRODUCT_NAME } from './texts/product-name.ts'
import { LOCALES } from './texts/texts.ts'

type Params = { Params: { token: string } }

const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
}

/**
 * The page behind the link that turns mails off. Opening it changes nothing, because programs open the links of mails, too.
 * A mail program sends the same POST request as the button (RFC 8058).
 */
export async function unsubscribePage(
  app: FastifyInstance,
  ports: Parameters<typeof unsubscribe>[0] & { readonly publicUrl: string },
): Promise<void> {
  await app.register(async (page) => {
    // The token says all; what a mail program sends in the body is not needed.
    page.removeAllContentTypeParsers()
    page.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null))
    page.get<Params>('/unsubscribe/:token', async ({ params }, reply) => {
      const language = await languageOfLink(ports, params.token)
      return await reply
        .headers(HEADERS)
        .type('text/html; charset=utf-8')
        .send(pageOf(language, 'ask', ports.publicUrl))
    })
    page.post<Params>('/unsubscribe/:token', async ({ params }, reply) => {
      const language = await languageOfLink(ports, params.token)
      await unsubscribe(ports, params.token)
      return await reply
        .headers(HEADERS)
        .type('text/html; charset=utf-8')
        .send(pageOf(language, 'done', ports.publicUrl))
    })
  })
}

function pageOf(language: Language | undefined, step: 'ask' | 'done', publicUrl: string): string {
  const { t, language: lang, direction } = LOCALES.of(language)
  return html`<!doctype html>
    <html lang="${lang}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${t('unsubscribe.title')} · ${PRODUCT_NAME}</title>
        <style>
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
        </style>
      </head>
      <body>
        <main>
          <p class="brand">${PRODUCT_NAME}</p>
          <h1>${t('unsubscribe.title')}</h1>
          ${
            step === 'ask'
              ? html`<form method="post"><button>${t('unsubscribe.button')}</button></form> `
              : html`<p role="status">${t('unsubscribe.done')}</p> `
          }
          <p><a href="${publicUrl}/notifications/settings">${t('unsubscribe.settings')}</a></p>
        </main>
      </body>
    </html> `.text
}
