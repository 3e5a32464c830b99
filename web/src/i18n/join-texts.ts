import join from './locales/en/join.json'
import { addTexts } from './texts.ts'

// The texts of join links: their page, and the part of the panel that creates them.
addTexts('watchlist', join)
