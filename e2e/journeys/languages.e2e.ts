import type { Language } from '@marquee/contract/languages'
import type { Page } from '@playwright/test'

import { expectAccessible } from '../support/accessibility.ts'
import { expect, signUpAndIn, test } from '../support/journey.ts'
import { readMailPage } from '../support/mailbox.ts'
import { register } from '../support/register.ts'
import { textsIn, translator } from '../support/texts.ts'
import { MOST_DIFFERENT } from '../support/variations.ts'

/** The subjects of the mails with the code of a sign-up and about a planned movie night. */
const SUBJECTS = {
  en: { code: 'Your verification code for Marquee', night: 'Movie night: "Friday film club"' },
  de: { code: 'Dein Bestätigungscode für Marquee', night: 'Filmabend: „Friday film club“' },
  fr: {
    code: 'Ton code de vérification pour Marquee',
    night: 'Soirée ciné\u00A0: «\u00A0Friday film club\u00A0»',
  },
  es: { code: 'Tu código de verificación de Marquee', night: 'Noche de cine: “Friday film club”' },
  'pt-BR': { code: 'Seu código de verificação do Marquee', night: 'Noite de cinema: “Friday film club”' },
  ar: {
    code: 'رمز التحقق الخاص بك في \u2068Marquee\u2069',
    night: 'سهرة أفلام: «\u2068Friday film club\u2069»',
  },
} as const satisfies Record<Language, object>

/** The name of each language in that language. */
const NAMES = { de: 'Deutsch', fr: 'Français', es: 'Español', 'pt-BR': 'Português (Brasil)', ar: 'العربية' }

const english = textsIn('en')

/** The visible texts and labels of the page that are in English and should not be. */
async function untranslated(page: Page, language: string): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const labels = [...document.querySelectorAll('[aria-label], [placeholder], [title]')].flatMap((element) =>
      ['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name) ?? ''),
    )
    return [...labels, ...document.body.innerText.split('\n')].map((text) => text.trim())
  })
  const own = new Set(textsIn(language).values())
  const wrong = new Set([...english.values()].filter((text) => !own.has(text)))
  return [...new Set(shown)].filter((text) => wrong.has(text))
}

for (const language of MOST_DIFFERENT) {
  test.describe(language, () => {
    test.use({ locale: language })

    // Evidence: wcag-3.1.1
    test(`two friends use the main features in ${language}`, async ({ page, server, openAs, aPerson }) => {
      const t = translator(language)
      const button = (key: string) => page.getByRole('button', { name: t(key), exact: true })
      const look = async (screen: string) => {
        await expect(page.locator('html')).toHaveAttribute('lang', language)
        await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr')
        expect(await untranslated(page, language), `English texts of ${screen}`).toEqual([])
        await expectAccessible(page, `${screen}, ${language}`)
      }
      const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]

      await test.step('Ana signs up with a code by mail, and signs in', async () => {
        await page.goto('/auth/login')
        await expect(page.getByRole('heading', { name: t('auth-screens:login.title'), exact: true })).toBeVisible()
        await look('signing in')
        await page.locator('input[name=email]').fill('eve@example.org')
        await page.locator('input[name=password]').fill('Passw0rd-wrong')
        await button('auth-screens:login.submit').click()
        await expect(page.getByText(t('problems:pool.incorrect'))).toBeVisible()
        await signUpAndIn(page, server, ana)
        await readMailPage(server.dataDir, ana.email, SUBJECTS[language].code)
      })

      await test.step('Ana creates a watchlist', async () => {
        await page.getByLabel(t('watchlist:fields.name'), { exact: true }).fill('Friday film club')
        await button('watchlist:create.submit').click()
        await expect(page.getByRole('heading', { name: 'Friday film club' })).toBeVisible()
      })
      const watchlist = new URL(page.url()).pathname

      await test.step('Ana adds a movie, reveals it and accepts it', async () => {
        await button('moviecard:feed.add').last().click()
        await page.locator('input[name=title]').fill('Playtime')
        await page.locator('input[name=imageUrl]').fill('http://posters.example.org/poster.jpg')
        expect(await untranslated(page, language)).toEqual([])
        await page.locator('form:has(input[name=title]) button[type=submit]').click()
        await expect(page.locator('input[name=title]')).toHaveCount(0)
        await button('moviecard:box.reveal').click()
        const addedBy = t('moviecard:card.addedBy', { user: ana.name })
        await expect(page.getByRole('article').getByText(addedBy, { exact: true })).toBeVisible()
        await button('moviecard:moves.WATCHED').click()
        await expect(page.getByRole('article').getByText(t('moviecard:status.WATCHED'), { exact: true })).toBeVisible()
      })

      await register(server, ben)
      const bens = await openAs(ben)
      await bens.goto('/')
      if (language !== 'en') {
        await test.step('Ben chooses the browser’s language for his account', async () => {
          const name = NAMES[language]
          await bens.getByRole('button', { name: t('club:languageQuestion.use', { name }), exact: true }).click()
        })
      }
      await test.step('Ana invites Ben, who sees it at once and accepts', async () => {
        await page.getByLabel(t('watchlist:invite.username'), { exact: true }).fill(ben.name)
        await button('watchlist:invite.submit').click()
        await expect(page.getByText(t('watchlist:invite.sent'))).toBeVisible()
        const accept = t('watchlist:inbox.acceptOf', { name: 'Friday film club' })
        await bens.getByRole('main').getByRole('button', { name: accept, exact: true }).click()
        await expect(bens.getByRole('heading', { level: 1, name: 'Friday film club' })).toBeVisible()
      })

      await test.step('Ben comments, and Ana sees it', async () => {
        const card = bens.getByRole('article')
        await card.getByRole('button', { name: 'Playtime', exact: true }).click()
        await card.getByRole('button', { name: t('moviecard:comments.open'), exact: true }).click()
        await card.getByLabel(t('moviecard:comments.field'), { exact: true }).fill('Trafic!')
        await card.getByRole('button', { name: t('moviecard:comments.submit'), exact: true }).click()
        const arrived = t('moviecard:comments.arrived_one', { count: '1' })
        await page.getByRole('article').getByRole('button', { name: arrived, exact: true }).click()
        await expect(page.getByRole('article').getByText('Trafic!')).toBeVisible()
        await look('a watchlist')
      })

      await test.step('Ana plans a movie night', async () => {
        await page.goto(`${watchlist}/night`)
        await button('nights:night.plan').click()
        await page.getByLabel(t('nights:night.form.time'), { exact: true }).fill('2098-11-28T20:00')
        await page.getByLabel(t('nights:night.form.place'), { exact: true }).fill('On the roof')
        await button('nights:night.form.submit').click()
        await expect(page.getByText('On the roof')).toBeVisible()
        await look('a planned night')
      })

      await test.step('Ben gets a mail in his language, and turns such mails off', async () => {
        const mail = await readMailPage(server.dataDir, ben.email, SUBJECTS[language].night)
        const [link = ''] = /https?:\/\/[^\s"<]+\/unsubscribe\/[^\s"<]+/u.exec(mail) ?? []
        await page.goto(link)
        await look('turning mails off')
        await page.getByRole('button').click()
        await expect(page.getByRole('status')).toBeVisible()
      })
    })
  })
}
