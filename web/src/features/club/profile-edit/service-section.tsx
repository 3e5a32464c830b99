import { PartFailed } from '#web/ui/banner.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

/** The streaming services of the user, on installations that know where movies can be watched. */
export const ServiceSection = lazyPart({
  load: async () => (await import('./service-choice.tsx')).ServiceChoice,
  Failed: PartFailed,
})
