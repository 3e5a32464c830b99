import imports from './locales/en/imports.json'
import { addTexts } from './texts.ts'

// The texts of the screen that imports movies.
addTexts('watchlist', imports)
