import statistics from './locales/en/statistics.json'
import { addTexts } from './texts.ts'

// The texts of the statistics of a watchlist.
addTexts('watchlist', statistics)
