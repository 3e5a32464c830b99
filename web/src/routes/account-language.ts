import { PROFILE_ENDPOINTS } from '@marquee/contract/endpoints/profiles'
import type { Language } from '@marquee/contract/languages'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { call } from '#web/api/call.ts'
import { hasSignedUpHere, isLanguageRefused } from '#web/i18n/language-notes.ts'
import { chooseLanguage, language, wantedLanguage } from '#web/i18n/language.ts'
import { personProfile } from '#web/people/queries.ts'

/**
 * Shows the app in the language of the account. The browser in which a user signed up makes the first choice, English
 * included. Any other browser asks before it changes the language of the account.
 * @returns The language to ask about.
 */
export function useLanguageOf(username: string): Language | undefined {
  // The top bar reads this profile too, for the avatar.
  const { data: profile } = useQuery(personProfile(username))
  const [wanted] = useState(() => wantedLanguage(navigator.languages))
  const chosen = profile?.language
  const isFirst = profile !== undefined && chosen === undefined && (language === 'en' || hasSignedUpHere(username))
  useEffect(() => {
    if (chosen !== undefined && chosen !== language) chooseLanguage(chosen)
    // If this fails, the next visit tries again.
    if (isFirst) call(PROFILE_ENDPOINTS.chooseLanguage, { body: { language } }).catch(() => undefined)
  }, [chosen, isFirst])
  if (profile === undefined || isFirst) return undefined
  if (chosen === undefined) return language
  return wanted === chosen || isLanguageRefused(wanted) ? undefined : wanted
}
