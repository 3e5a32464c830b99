import type { BrowserContext, Page } from '@playwright/test'

import { expectNoSidewaysScroll } from '../support/accessibility.ts'
import { expect, test } from '../support/journey.ts'
import { signInWithoutForm } from '../support/register.ts'
import { openScreen } from '../support/screens.ts'
import { type Translate, translator } from '../support/texts.ts'
import { LONGEST_WORDS, WEEKLY } from '../support/variations.ts'
import { shareWatchlist } from '../support/watchlist.ts'

const ACCENTED: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', n: 'ñ', c: 'ç', s: 'š' }

/** A text that is easy to recognise and 40 % longer, with its placeholders in place. */
function pseudo(text: string): string {
  const accented = text.replaceAll(/\{\{\w+\}\}|[aeioucns]/gu, (found) => ACCENTED[found] ?? found)
  return `⟦${accented}${'·'.repeat(Math.ceil(text.length * 0.4))}⟧`
}

type Tree = { [key: string]: string | Tree }

const mapTexts = (tree: Tree): Tree =>
  Object.fromEntries(
    Object.entries(tree).map(([key, text]) => [key, typeof text === 'string' ? pseudo(text) : mapTexts(text)]),
  )

/** German pages get their texts with each one replaced by its pseudo-text. */
async function replaceGerman(context: BrowserContext): Promise<void> {
  await context.route('**/assets/texts-de-*.js', async (route) => {
    const code = await (await route.fetch()).text()
    const exported = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Record<string, Tree>
    const body = Object.entries(exported).map(
      ([name, texts]) => `export const ${name} = ${JSON.stringify(mapTexts(texts))}`,
    )
    await route.fulfill({ contentType: 'text/javascript', body: body.join('\n') })
  })
}

/** What a television shows to be paired. */
const CODE = /^[A-Z2-9]{6}$/u
/** Months and days come from `Intl`. */
const DATES = [
  'Heute',
  ...['long', 'short'].flatMap((month) =>
    Array.from({ length: 12 }, (_, n) =>
      new Intl.DateTimeFormat('de', { month: month as 'long' | 'short' }).format(new Date(2026, n, 15)),
    ),
  ),
]

/** The visible texts and labels of the page outside the brackets of pseudo-texts, without these parts. */
async function untranslated(page: Page, data: readonly string[]): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const isData = (element: Element | null) =>
      element?.closest('time, code, pre, option[lang], script, style, noscript')
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const blocks = new Map<Element, string>()
    while (walker.nextNode()) {
      const { parentElement: parent, textContent } = walker.currentNode
      if (parent && !isData(parent) && parent.checkVisibility()) {
        blocks.set(parent, `${blocks.get(parent) ?? ''}${textContent ?? ''}`)
      }
    }
    const labels = [...document.querySelectorAll('[aria-label], [placeholder], [title], [alt]')].flatMap((element) =>
      ['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''),
    )
    return [document.title, ...labels, ...blocks.values()]
  })
  const withoutBrackets = (text: string): string => {
    const less = text.replaceAll(/⟦[^⟦⟧]*⟧/gu, ' ')
    return less === text ? text : withoutBrackets(less)
  }
  const rest = shown.map((text) =>
    [...data, ...DATES].reduce((left, part) => left.replaceAll(part, ' '), withoutBrackets(text)),
  )
  return [...new Set(rest.map((text) => text.trim()).filter((text) => /\p{L}{2}/u.test(text) && !CODE.test(text)))]
}

/**
 * Elements whose own text is wider than they are, neither scrolled nor ended by an ellipsis, and those that end outside
 * the window.
 */
async function cutOff(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.body.querySelectorAll<HTMLElement>('*')]
      .filter((element) => {
        const hasText = [...element.childNodes].some(
          ({ nodeType, textContent }) => nodeType === 3 && textContent?.trim(),
        )
        if (!hasText || !element.checkVisibility() || element.closest('.sr-only, svg')) return false
        if (getComputedStyle(element).display === 'inline' || element.clientWidth <= 1) return false
        const { overflowX, textOverflow } = getComputedStyle(element)
        const isMeant = textOverflow === 'ellipsis' || overflowX === 'auto' || overflowX === 'scroll'
        const { left, right } = element.getBoundingClientRect()
        const isOutside = (left < -1 || right > innerWidth + 1) && element.closest('.overflow-x-auto') === null
        return isOutside || (!isMeant && element.scrollWidth > element.clientWidth + 1)
      })
      .map((element) => `${element.tagName.toLowerCase()}: ${element.textContent}`),
  )
}

/** Reports all screens with a fault, not only the first. */
const eachScreen = expect.configure({ soft: true })

type Look = (page: Page, screen: string) => Promise<void>

/** Opens every screen that needs no account. */
async function visit(page: Page, t: Translate, look: Look): Promise<void> {
  for (const [path, heading] of [
    ['/auth/login', 'auth-screens:login.title'],
    ['/auth/signup', 'auth-screens:signup.title'],
    ['/auth/forgot-password', 'auth-screens:forgotPassword.title'],
    ['/auth/logout', 'external:logout.title'],
    ['/join/not-a-link', 'join:join.closed.title'],
    ['/join-night', 'nights:night.join.title'],
    ['/tv', 'nights:bigScreen.tv.title'],
    ['/watchlists/invitation/accept?token=x', 'common:invitation.title'],
  ] as const) {
    await openScreen(page, path)
    await expect(page.getByRole('heading', { name: t(heading), exact: true })).toBeVisible()
    await look(page, path)
  }
  await openScreen(page, '/auth/signup')
  await page.locator('button[type=submit]').click()
  await expect(page.getByText(t('auth-screens:validation.name.required'))).toBeVisible()
  await look(page, 'a sign-up without input')
  await openScreen(page, '/auth/forgot-password')
  await page.locator('input[name=email]').fill('eve@example.org')
  await page.locator('button[type=submit]').click()
  await page.getByRole('button', { name: t('auth-screens:forgotPassword.resetNow'), exact: true }).click()
  await expect(page.getByRole('heading', { name: t('auth-screens:resetPassword.title'), exact: true })).toBeVisible()
  await look(page, 'a new password with a code')
}

/** Opens every screen of a member, and most of the dialogs. */
async function tour(page: Page, t: Translate, id: string, look: Look): Promise<void> {
  const button = (key: string) => page.getByRole('button', { name: t(key), exact: true })
  const open = async (path: string, shown: string) => {
    await openScreen(page, path)
    await expect(page.getByText(t(shown), { exact: true }).filter({ visible: true }).first()).toBeVisible()
    await look(page, path)
  }

  await open('/watchlists', 'watchlist:list.title')
  await open('/watchlists/create', 'watchlist:create.title')
  await open('/notifications', 'notifications:notifications.title')
  await open('/account/notifications', 'notifications:notificationSettings.muted')
  await open('/profile/edit', 'profile:picture.title')
  await open('/setup', 'setup:setup.doneTitle')
  await open('/account/change-password', 'auth-screens:changePassword.title')
  await open('/account/devices', 'security:security.activity.kinds.signed-up')
  await open('/account/tokens', 'security:security.tokens.none')
  await button('security:security.tokens.new').click()
  await look(page, 'a new token')
  await open('/account/data', 'security:security.export.title')
  await button('security:security.delete.open').click()
  await look(page, 'deleting the account')
  await open('/account/sign-in', 'security:security.passkeys.none')
  await button('security:security.app.setUp').click()
  await expect(page.getByText(t('security:security.app.scan'))).toBeVisible()
  await look(page, 'setting up an authenticator app')

  const watchlist = `/watchlists/${id}`
  await open(`${watchlist}/library`, 'watchlist:library.filters')
  await button('watchlist:library.filters').click()
  await look(page, 'the filters of the library')
  await open(`${watchlist}/suggestions`, 'moviecard:suggestions.hint')
  await open(`${watchlist}/statistics`, 'statistics:statistics.story')
  await open(`${watchlist}/draws`, 'draws:draws.title')
  await open(`${watchlist}/draws/1`, 'draws:draws.noCheck.oneStep')
  await open(`${watchlist}/statistics/${new Date().getFullYear()}`, 'statistics:year.save')
  await open(`${watchlist}/draws/999`, 'draws:draws.missing')

  await openScreen(page, `${watchlist}/import`)
  await page.locator('input[type=file]').setInputFiles({
    name: '1.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Name,Year,Rating\nLow Tide,1979,5\nNight Tram,,4\n,1967,\n'),
  })
  await expect(button('imports:import.review.cancel')).toBeVisible()
  await look(page, 'the review of an import')

  await openScreen(page, watchlist)
  await expect(page.getByRole('article')).toHaveCount(2)
  await look(page, watchlist)
  await button('watchlist:detail.showInfo').click()
  await button('watchlist:invite.submit').click()
  await expect(page.getByText(t('watchlist:invite.usernameRequired'))).toBeVisible()
  await look(page, 'the panel of a watchlist')
  await openScreen(page, `${watchlist}/club`)
  await look(page, 'the members')
  await button('watchlist:invite.submit').click()
  await button('join:joinLinks.others').click()
  await expect(button('join:joinLinks.create')).toBeVisible()
  await look(page, 'the invite dialog with a link')
  for (const part of ['name', 'waiting']) {
    await page.getByRole('tab', { name: t(`join:inviteParts.${part}`), exact: true }).click()
    await look(page, `the invite dialog at ${part}`)
  }
  await openScreen(page, `${watchlist}/settings`)
  await expect(page.getByRole('radio').first()).toBeAttached()
  await button('watchlist:detail.webhooks').click()
  await button('webhooks:webhooks.new').click()
  await expect(button('webhooks:webhooks.create')).toBeVisible()
  await look(page, 'the settings of a watchlist')
  await button('webhooks:webhooks.cancel').click()
  await button('club:delete.button').click()
  await expect(page.getByRole('dialog').getByRole('heading')).toBeVisible()
  await look(page, 'the question before deletion')
  await page.keyboard.press('Escape')
  await openScreen(page, watchlist)
  await expect(page.getByRole('article')).toHaveCount(2)
  await button('moviecard:feed.add').first().click()
  await expect(page.getByRole('form')).toBeVisible()
  await look(page, 'the form of a movie')
  await button('moviecard-parts:form.cancel').click()
  const card = page.getByRole('article').first()
  await card.getByRole('button', { name: t('moviecard:seen.mark') }).click()
  await card.getByRole('button', { name: t('moviecard:comments.open'), exact: true }).click()
  await look(page, 'marking a movie as seen')
  await card.locator('[aria-haspopup=menu]').click()
  await page.getByRole('menuitem', { name: t('moviecard:card.delete'), exact: true }).click()
  await expect(page.getByRole('dialog').getByRole('heading')).toBeVisible()
  await look(page, 'the question before a card is deleted')
  await page.keyboard.press('Escape')
  await page.getByRole('banner').locator('[aria-haspopup=menu]').last().click()
  await expect(page.getByRole('menuitem', { name: t('watchlist:topBar.signOut') })).toBeVisible()
  await look(page, 'the menu of the account')
  await page.keyboard.press('Escape')

  await openScreen(page, `${watchlist}/night`)
  await button('nights:night.plan').click()
  await look(page, 'the plan of a night')
  await button('nights:night.form.cancel').click()
  await button('nights:night.startNow').click()
  await expect(page.getByText(t('nights:night.open.title'))).toBeVisible()
  await button('nights:night.toDraw').click()
  await button('nights:night.draw.filters').click()
  await look(page, 'a night')
  await page.goto(`${watchlist}/night/screen`)
  await expect(page.getByRole('list', { name: t('nights:bigScreen.people') })).toBeVisible()
  await look(page, 'the big screen')
}

for (const { title, language, details, translate, prepare, look } of [
  {
    title: 'every text of every screen is translated',
    language: 'de',
    details: {},
    translate: (text: string) => pseudo(text),
    prepare: replaceGerman,
    look:
      (data: readonly string[]): Look =>
      async (page, screen) =>
        await eachScreen.poll(async () => await untranslated(page, data), screen).toEqual([]),
  },
  ...LONGEST_WORDS.map((tag) => ({
    title: `no text is cut off in a window of 320 pixels in ${tag}`,
    language: tag,
    details: WEEKLY,
    translate: (text: string) => text,
    prepare: async () => {},
    look: (): Look => async (page, screen) => {
      await expectNoSidewaysScroll(page, screen)
      await eachScreen.poll(async () => await cutOff(page), screen).toEqual([])
    },
  })),
]) {
  test.describe(language, () => {
    test.use({ locale: language, viewport: { width: 320, height: 640 } })
    test.setTimeout(180_000)

    test(title, details, async ({ page, context, server, aPerson }) => {
      const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
      const original = translator(language)
      const t: Translate = (key) => translate(original(key))
      const seeing = look([
        ana.name,
        ben.name,
        ana.email,
        ben.email,
        'eve@example.org',
        'https://',
        'Friday film club',
        'Night Tram',
        'Low Tide',
        'Paper Lions',
      ])
      await prepare(context)
      await visit(page, t, seeing)

      const { id, asOwner, asMembers } = await shareWatchlist(server, [ana, ben])
      const { id: cardId } = await asOwner.card(id, { title: 'Night Tram', status: 'WATCHED' })
      await asOwner.comment(id, cardId, '…')
      await asMembers[0]?.card(id, { title: 'Low Tide', status: 'REVEALED', timesPutBack: 1 })
      await asOwner.card(id, { title: 'Paper Lions' })
      await asMembers[0]?.comment(id, cardId, '…')
      await signInWithoutForm(page, server, ana)
      await tour(page, t, id, seeing)
    })
  })
}
