import where from './locales/en/where.json'
import { addTexts } from './texts.ts'

// The texts about where a movie can be watched.
addTexts('moviecard', where)
