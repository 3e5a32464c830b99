import { lazyPart } from '#web/ui/lazy-part.tsx'
import { PartFailed } from '#web/ui/banner.tsx'

/** Where the members watch, on installations that know where movies can be watched. */
export const CountrySection = lazyPart({
  load: async () => (await import('./country-choice.tsx')).CountryChoice,
  Failed: PartFailed,
})
