import nights from './locales/en/nights.json'
import { addTexts } from './texts.ts'

// The texts of the screens of movie nights.
addTexts('watchlist', nights)
