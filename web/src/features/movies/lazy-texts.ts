import parts from '#web/i18n/locales/en/moviecard-parts.json'
import { addTexts } from '#web/i18n/texts.ts'

addTexts('moviecard', parts)
