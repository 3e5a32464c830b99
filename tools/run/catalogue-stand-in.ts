import process from 'node:process'

import { startCatalogueStandIn } from '../../server/src/testing/catalogue/stand-in.ts'

/**
 * Starts stand-ins for Wikidata, Wikipedia and TMDB with real films, for journeys and for work without internet. It prints
 * the settings for a server that uses them, one per line. A request to `/trouble?is=slow` on their port makes them fail;
 * `server/src/testing/catalogue/stand-in.ts` has the kinds of trouble. It ends on SIGTERM or SIGINT.
 */
const standIn = await startCatalogueStandIn()
for (const [name, value] of Object.entries(standIn.settings)) console.log(`${name}=${value}`)

const end = (): void => {
  void standIn.stop().then(() => process.exit(0))
}
process.on('SIGTERM', end)
process.on('SIGINT', end)
