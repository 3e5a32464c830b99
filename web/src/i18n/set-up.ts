import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

import auth from './locales/en/auth.json'
import common from './locales/en/common.json'
import type moviecard from './locales/en/moviecard.json'
import type moviecardParts from './locales/en/moviecard-parts.json'
import type profile from './locales/en/profile.json'
import watchlist from './locales/en/watchlist.json'

const DEFAULT_NAMESPACE = 'common'

/** The texts that load first, in English. `addTexts` adds those of features that load later. */
const RESOURCES = { common, auth, watchlist } as const
type LaterTexts = { moviecard: typeof moviecard & typeof moviecardParts; profile: typeof profile }

// A key that no locale file holds does not compile.
declare module 'i18next' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- declaration merging needs an interface
  interface CustomTypeOptions {
    defaultNS: typeof DEFAULT_NAMESPACE
    resources: typeof RESOURCES & LaterTexts
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

/** Adds the texts of a feature when its code loads. A test may load it before the texts are set up. */
export function addTexts(namespace: keyof LaterTexts, texts: object): void {
  const add = () => i18next.addResourceBundle('en', namespace, texts, true)
  if (i18next.isInitialized) add()
  else i18next.on('initialized', add)
}
