import draws from './locales/en/draws.json'
import { addTexts } from './texts.ts'

// The odds in the box, and the pages of the draws.
addTexts('moviecard', draws)
