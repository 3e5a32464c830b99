import webhooks from './locales/en/webhooks.json'
import { addTexts } from './texts.ts'

// The texts of the webhooks in the panel of a watchlist.
addTexts('watchlist', webhooks)
