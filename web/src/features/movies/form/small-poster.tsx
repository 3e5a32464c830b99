import { Clapperboard } from 'lucide-react'
import { useState } from 'react'

import { classes } from '#web/ui/classes.ts'

/** A poster beside the title of a movie that is not a card yet. The class gives its width. */
export function SmallPoster({ url, className }: { url: string | null; className: string }) {
  const [brokenUrl, setBrokenUrl] = useState<string>()
  const look = classes('aspect-2/3 shrink-0 rounded-poster bg-raised object-cover', className)
  if (url === null || url === brokenUrl) {
    return (
      <span className={classes(look, 'flex items-center justify-center')}>
        <Clapperboard aria-hidden className="size-5 text-muted" />
      </span>
    )
  }
  return <img src={url} alt="" width={96} height={144} onError={() => setBrokenUrl(url)} className={look} />
}
