import { z } from 'zod'

import type { SourceClient } from './client.ts'

const MAX_EXTRACT_LENGTH = '1000'
/** Widths that Wikimedia keeps ready. */
export const PICTURE_WIDTHS = { result: '250', details: '500' } as const

const Pages = z.object({
  query: z.object({
    pages: z.array(
      z.object({
        title: z.string(),
        extract: z.string().optional(),
        thumbnail: z.object({ source: z.url() }).optional(),
      }),
    ),
  }),
})

/** A page of the Wikipedia in one language. */
export type WikipediaPage = { readonly wiki: string; readonly title: string }

/** The Wikipedia in a language, as in its host name: `pt` for `pt-BR`. */
export function wikiOf(language: string): string {
  const [primary = 'en'] = language.toLowerCase().split('-')
  return primary === 'nb' ? 'no' : primary
}

export function openWikipedia(client: SourceClient, pattern: string) {
  const base = pattern.replace(/\/(?:w\/api\.php)?$/u, '')

  async function ask(wiki: string, parameters: Record<string, string>, deadline: AbortSignal) {
    const url = new URL(`${base.replaceAll('{language}', wiki)}/w/api.php`)
    const always = { action: 'query', format: 'json', formatversion: '2', redirects: '1', pilicense: 'any' }
    url.search = new URLSearchParams({ ...always, piprop: 'thumbnail', ...parameters }).toString()
    return (await client.json(url, Pages, deadline))?.query.pages ?? []
  }

  return {
    origin: new URL(base.replaceAll('{language}', 'en')).origin,

    /** The addresses of the pictures by page title; pages without one are left out. */
    picturesOf: async (wiki: string, titles: readonly string[], width: string, deadline: AbortSignal) => {
      if (titles.length === 0) return new Map<string, string>()
      const parameters = { prop: 'pageimages', pithumbsize: width, titles: titles.join('|') }
      const pages = await ask(wiki, parameters, deadline)
      return new Map(pages.flatMap(({ title, thumbnail }) => (thumbnail ? [[title, thumbnail.source]] : [])))
    },

    /** The first paragraphs of a page, with the credit that their licence asks for, and its picture. */
    read: async ({ wiki, title }: WikipediaPage, deadline: AbortSignal) => {
      const [page] = await ask(
        wiki,
        {
          prop: 'extracts|pageimages',
          exintro: '1',
          explaintext: '1',
          exchars: MAX_EXTRACT_LENGTH,
          pithumbsize: PICTURE_WIDTHS.details,
          titles: title,
        },
        deadline,
      )
      const extract = page?.extract?.trim() ?? ''
      const address = `https://${wiki}.wikipedia.org/wiki/${encodeURIComponent(title.replaceAll(' ', '_'))}`
      return {
        summary: extract === '' ? null : `${extract}\n\nWikipedia, CC BY-SA 4.0: ${address}`,
        picture: page?.thumbnail?.source ?? null,
      }
    },
  }
}
