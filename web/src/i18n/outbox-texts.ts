import outbox from './locales/en/outbox.json'
import { addTexts } from './texts.ts'

// The texts of what waits to be sent.
addTexts('watchlist', outbox)
