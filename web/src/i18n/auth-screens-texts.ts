import authScreens from './locales/en/auth-screens.json'
import { addTexts } from './texts.ts'

// The texts of the screens for visitors, shared with the screens about the account.
addTexts('auth', authScreens)
