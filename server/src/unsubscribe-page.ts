import type { FastifyInstance } from 'fastify'

import type { RateLimiter } from '@marquee/platform/limits/rate-limiter'
import { html } from '@marquee/platform/texts/html'

import { linkPages, sendPage } from './link-page.ts'
import { languageOfLink, unsubscribe } from './rooms/news/notifications/unsubscribe.ts'
import { LOCALES } from './texts/texts.ts'

type Params = { Params: { token: string } }

/** The page behind the link that turns mails off. A mail program sends the same POST request as the button (RFC 8058). */
export async function unsubscribePage(
  app: FastifyInstance,
  ports: Parameters<typeof unsubscribe>[0] & { readonly limiter: RateLimiter; readonly publicUrl: string },
): Promise<void> {
  await linkPages(app, ports, (page) => {
    page.get<Params>('/unsubscribe/:token', async ({ params }, reply) => {
      const texts = LOCALES.of(await languageOfLink(ports, params.token))
      const { t } = texts
      return await sendPage(reply, texts, {
        title: t('unsubscribe.title'),
        content: html`<form method="post"><button>${t('unsubscribe.button')}</button></form>
          ${settingsLink(texts, ports.publicUrl)}`,
      })
    })
    page.post<Params>('/unsubscribe/:token', async ({ params }, reply) => {
      const texts = LOCALES.of(await languageOfLink(ports, params.token))
      const { t } = texts
      await unsubscribe(ports, params.token)
      return await sendPage(reply, texts, {
        title: t('unsubscribe.title'),
        content: html`<p role="status">${t('unsubscribe.done')}</p>
          ${settingsLink(texts, ports.publicUrl)}`,
      })
    })
  })
}

function settingsLink({ t }: ReturnType<typeof LOCALES.of>, publicUrl: string) {
  return html`<p><a href="${publicUrl}/account/notifications">${t('unsubscribe.settings')}</a></p>`
}
