import { type Language, LANGUAGES } from '@marquee/contract/languages'
import { expect, test } from 'vitest'

import { read, repositoryFiles } from './repository.ts'

type Texts = { readonly [key: string]: string | Texts }

const textsIn = (tree: Texts): string[] =>
  Object.values(tree).flatMap((value) => (typeof value === 'string' ? value : textsIn(value)))

/** All texts of a language: of the web app, the server and the user pool. */
function textsOf(language: Language): string[] {
  const own = new RegExp(String.raw`/locales/${language}(?:\.json$|/.*\.json$)`, 'u')
  return repositoryFiles()
    .filter((path) => own.test(path))
    .flatMap((path) => textsIn(JSON.parse(read(path)) as Texts))
}

/** Words that another one has replaced, or that speak to a stranger. */
const RETIRED: Readonly<Record<Language, readonly RegExp[]>> = {
  en: [/\bfilms?\b/iu, /\b(?:takes?|took) part\b/iu, /\balike\b/iu, /\blets? (?:you )?in\b/iu, /\bfacts?\b/iu],
  de: [
    /(?<![\p{L}-])(?:versuch|wähl|prüf|füg|füll|kopier|scann|tipp|entfern|erstell|setz|schließ|leg|deck|frag|schau) /iu,
    /\bRaus\b/u,
    /\bTokens\b/u,
    /Filmliste/u,
    /\bSeeds?\b/u,
    /\bIhre?[nmrs]? (?:Konto|Passwort|E-Mail|Watchlist)/u,
  ],
  fr: [/réglage/iu, /veuillez/iu, /parle de toi/u, /graines?\b/u, /Regardé(?!\p{L})/u],
  es: [/\busted\b/iu, /aparato/iu, /\bFijar\b/u, /\bvenci(?:ó|do)\b/u, /semillas?\b/iu, /\bIntroduce\b/iu],
  'pt-BR': [/aparelho/iu, /imagem parada/u, /visitante/iu, /mudança/iu, /sementes?\b/iu, /\bum URL\b/u],
  ar: [/ويب هوك/u, /سحبة/u, /حق (?:ال)?نقض/u, /كتالوج/u, /بذور|بذرة/u],
}

test.each(LANGUAGES)('no text in %s has a retired word', (language) => {
  const wrong = textsOf(language).filter((text) => RETIRED[language].some((word) => word.test(text)))

  expect(wrong).toEqual([])
})

// As typographers set it. A plain space there may begin a line with the mark.
test('French texts have a no-break space before : ; ! ? and inside quotation marks', () => {
  const wrong = textsOf('fr')
    .map((text) => text.replaceAll(/https?:\/\/\S*/gu, ''))
    .filter((text) => /[^\u00A0\u202F][;:!?»](?!\w)|«[^\u00A0\u202F]/u.test(text))

  expect(wrong).toEqual([])
})

const NAMES = ['English', 'German', 'French', 'Spanish', 'Portuguese', 'Arabic'] as const
const BY_NAME: Readonly<Record<(typeof NAMES)[number], Language>> = {
  English: 'en',
  German: 'de',
  French: 'fr',
  Spanish: 'es',
  Portuguese: 'pt-BR',
  Arabic: 'ar',
}

/** The rows of the table in the glossary, without its first two. */
function glossary(): string[][] {
  const [, table = ''] = read('docs/glossary.md').split('## Words of the app')
  const rows = (table.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

test.each(NAMES)('each word of the glossary in %s appears in the texts', (name) => {
  const words = glossary().map((row) => row[NAMES.indexOf(name)] ?? '')
  const texts = textsOf(BY_NAME[name]).join('\n').toLowerCase()

  expect(words.length).toBeGreaterThan(10)
  expect(words.filter((word) => !texts.includes(word.toLowerCase()))).toEqual([])
})
