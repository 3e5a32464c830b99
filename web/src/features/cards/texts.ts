import moviecard from '#web/i18n/locales/en/moviecard.json'
import { addTexts } from '#web/i18n/set-up.ts'

addTexts('moviecard', moviecard)
