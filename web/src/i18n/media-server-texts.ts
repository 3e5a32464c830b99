import mediaServers from './locales/en/media-servers.json'
import { addTexts } from './texts.ts'

// The texts of media servers: connecting them, opening a movie there, and playing it.
addTexts('watchlist', mediaServers)
