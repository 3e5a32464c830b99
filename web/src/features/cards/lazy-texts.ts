import parts from '#web/i18n/locales/en/moviecard-parts.json'
import { addTexts } from '#web/i18n/set-up.ts'

addTexts('moviecard', parts)
