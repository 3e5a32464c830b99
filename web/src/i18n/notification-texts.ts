import notifications from './locales/en/notifications.json'
import { addTexts } from './texts.ts'

// The texts of the page of notifications.
addTexts('watchlist', notifications)
