import { useState } from 'react'

import { classes } from './classes.ts'
import { TitlePoster } from './title-poster.tsx'

/** A picture of a movie. With a `posterState` it is a placeholder. */
type Poster = { title: string; imageUrl: string; posterState?: string | undefined }

/** A poster beside the title of its movie, so it needs no text. Without a picture it is the title on a colour. */
export function MoviePoster({ card, className }: { card: Poster; className?: string }) {
  const { imageUrl, posterState, title } = card
  const [brokenUrl, setBrokenUrl] = useState<string>()
  if (posterState !== undefined || imageUrl === brokenUrl) {
    return <TitlePoster title={title} className={className} />
  }
  return (
    <img
      src={imageUrl}
      alt=""
      width={400}
      height={600}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBrokenUrl(imageUrl)}
      className={classes('aspect-2/3 rounded-poster bg-raised object-cover', className)}
    />
  )
}
