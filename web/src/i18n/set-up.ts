import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

import auth from './locales/en/auth.json'
import common from './locales/en/common.json'
import type moviecard from './locales/en/moviecard.json'
import profile from './locales/en/profile.json'
import watchlist from './locales/en/watchlist.json'

const DEFAULT_NAMESPACE = 'common'

/** The texts that load first, in English. Those of the cards load with them, in features/cards/texts.ts. */
const RESOURCES = { common, auth, watchlist, profile } as const

// A key that no locale file holds does not compile.
declare module 'i18next' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declaration merging needs an interface
  interface CustomTypeOptions {
    defaultNS: typeof DEFAULT_NAMESPACE
    resources: typeof RESOURCES & { moviecard: typeof moviecard }
    returnNull: false
  }
}

/** Makes the texts available; done once, before the app is mounted. React escapes what it renders, so i18next need not. */
export async function setUpTexts(): Promise<void> {
  await i18next.use(initReactI18next).init({
    resources: { en: RESOURCES },
    lng: 'en',
    ns: Object.keys(RESOURCES),
    defaultNS: DEFAULT_NAMESPACE,
    interpolation: { escapeValue: false },
    returnNull: false,
  })
}
