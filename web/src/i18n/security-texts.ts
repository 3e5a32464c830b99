import security from './locales/en/security.json'
import { addTexts } from './texts.ts'

// The texts of the security screen, and of the set-up of an authenticator app.
addTexts('auth', security)
