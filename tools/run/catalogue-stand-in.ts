import process from 'node:process'

import { startCatalogueStandIn } from '../../server/src/testing/catalogue/stand-in.ts'

/**
 * Starts stand-ins for Wikidata, Wikipedia and TMDB with a table of real films, for journeys and for work without the
 * internet. Prints the settings of a server that asks them, one a line. A request to `/trouble?is=slow` on their port lets
 * them fail; see the stand-in for the kinds of trouble. It ends on SIGTERM or SIGINT.
 */
const standIn = await startCatalogueStandIn()
for (const [name, value] of Object.entries(standIn.settings)) console.log(`${name}=${value}`)

const end = (): void => {
  void standIn.stop().then(() => process.exit(0))
}
process.on('SIGTERM', end)
process.on('SIGINT', end)
