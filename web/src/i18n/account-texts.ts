import account from './locales/en/account.json'
import { addTexts } from './texts.ts'

// The texts of the account page, around its sections.
addTexts('profile', account)
