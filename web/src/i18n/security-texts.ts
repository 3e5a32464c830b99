import security from './locales/en/security.json'
import { addTexts } from './texts.ts'

// The texts of the sign-in, the devices and the tokens of a user, and of the set-up of an authenticator app.
addTexts('auth', security)
