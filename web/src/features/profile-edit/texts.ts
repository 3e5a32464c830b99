import profile from '#web/i18n/locales/en/profile.json'
import { addTexts } from '#web/i18n/set-up.ts'

addTexts('profile', profile)
