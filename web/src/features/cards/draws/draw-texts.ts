import draws from '#web/i18n/locales/en/draws.json'
import { addTexts } from '#web/i18n/texts.ts'

// The odds in the box, and the pages of the draws.
addTexts('moviecard', draws)
