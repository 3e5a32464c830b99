/// <reference types="node" />
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { LANGUAGES } from '@marquee/contract/languages'
import type { Page } from '@playwright/test'

import { expectAccessible } from '../support/accessibility.ts'
import { expect, test } from '../support/journey.ts'
import { registerAndSignIn } from '../support/register.ts'

const LOCALES = join(import.meta.dirname, '../../web/src/i18n/locales')

type Tree = { [key: string]: string | Tree }

/** The texts of all files of a language, by key. */
function textsIn(language: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const add = (tree: Tree, prefix: string) => {
    for (const [key, value] of Object.entries(tree)) {
      if (typeof value === 'string') found.set(`${prefix}${key}`, value)
      else add(value, `${prefix}${key}.`)
    }
  }
  for (const file of globSync('*.json', { cwd: join(LOCALES, language) })) {
    add(JSON.parse(readFileSync(join(LOCALES, language, file), 'utf8')) as Tree, `${file.slice(0, -'.json'.length)}:`)
  }
  return found
}

const english = textsIn('en')

/** The visible texts and labels of the page that are in English and should not be. */
async function untranslated(page: Page, texts: ReadonlyMap<string, string>): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const labels = [...document.querySelectorAll('[aria-label], [placeholder], [title]')].flatMap((element) =>
      ['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name) ?? ''),
    )
    return [...labels, ...document.body.innerText.split('\n')].map((text) => text.trim())
  })
  const own = new Set(texts.values())
  const wrong = new Set([...english.values()].filter((text) => !own.has(text)))
  return [...new Set(shown)].filter((text) => wrong.has(text))
}

for (const language of LANGUAGES.filter((tag) => tag !== 'en')) {
  test.describe(language, () => {
    test.use({ locale: language })

    test(`a movie is suggested, revealed and accepted in ${language}`, async ({ page, server, aPerson }) => {
      const texts = textsIn(language)
      const t = (key: string): string => {
        const text = texts.get(key)
        if (text === undefined) throw new Error(`There is no text ${key} in ${language}`)
        return text
      }

      await page.goto('/auth/login')
      await expect(page.getByRole('heading', { name: t('auth-screens:login.title'), exact: true })).toBeVisible()
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr')
      expect(await untranslated(page, texts)).toEqual([])
      await expectAccessible(page, `signing in, ${language}`)
      await page.locator('input[name=email]').fill('eve@example.org')
      await page.locator('input[name=password]').fill('Passw0rd-wrong')
      await page.locator('form button[type=submit]').click()
      await expect(page.getByText(t('problems:pool.incorrect'))).toBeVisible()

      const ana = aPerson('Ana')
      await registerAndSignIn(page, server, ana)
      await page.locator('input[name=name]').fill('Friday film club')
      await page.locator('form button[type=submit]').click()
      await expect(page.getByRole('heading', { name: 'Friday film club' })).toBeVisible()
      await page
        .getByRole('button', { name: t('moviecard:feed.add') })
        .last()
        .click()
      await page.locator('input[name=title]').fill('Playtime')
      await page.locator('input[name=imageUrl]').fill('http://posters.example.org/poster.jpg')
      expect(await untranslated(page, texts)).toEqual([])
      await page.locator('form:has(input[name=title]) button[type=submit]').click()
      await expect(page.locator('input[name=title]')).toHaveCount(0)
      await page.getByRole('button', { name: t('moviecard:box.reveal') }).click()
      const card = page.getByRole('article')
      // Between Arabic words, a name keeps its own direction.
      const name = language === 'ar' ? `\u2068${ana.name}\u2069` : ana.name
      await expect(card.getByText(t('moviecard:card.addedBy').replace('{{user}}', name), { exact: true })).toBeVisible()
      await card.getByRole('button', { name: t('moviecard:moves.WATCHED'), exact: true }).click()
      await expect(card.getByText(t('moviecard:status.WATCHED'), { exact: true })).toBeVisible()

      expect(await untranslated(page, texts)).toEqual([])
      await expectAccessible(page, `a watchlist, ${language}`)
    })
  })
}
