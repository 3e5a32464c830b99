import moviecard from './locales/en/moviecard.json'
import profile from './locales/en/profile.json'
import watchlist from './locales/en/watchlist.json'
import { addTexts } from './texts.ts'

// The texts of the screens for signed-in users.
addTexts('watchlist', watchlist)
addTexts('moviecard', moviecard)
addTexts('profile', profile)
