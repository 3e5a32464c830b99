import external from './locales/en/external.json'
import { addTexts } from './texts.ts'

// The texts of signing in with another service, and of signing in to another tool from here.
addTexts('auth', external)
