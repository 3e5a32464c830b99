import './auth-screens-texts.ts'
import setup from './locales/en/setup.json'
import { addTexts } from './texts.ts'

// The texts of the setup page, which also uses those of the sign-up.
addTexts('auth', setup)
