import club from './locales/en/club.json'
import { addTexts } from './texts.ts'

// The texts of the settings of a watchlist, and of the question about the language of the account.
addTexts('watchlist', club)
