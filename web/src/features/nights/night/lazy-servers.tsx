import { features } from '#web/config.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'

import type { NightServersProps } from './night-servers.tsx'

const NightServerChoices = lazyPart({
  load: async () => (await import('./night-servers.tsx')).NightServerChoices,
  Failed: () => null,
})

/** Opens or plays the winner on a media server, on installations that connect to some. */
export function NightServers(props: NightServersProps) {
  return features().mediaServers === true ? <NightServerChoices {...props} /> : null
}
