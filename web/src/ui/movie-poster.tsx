import { useState } from 'react'

import { classes } from './classes.ts'

/** A picture of a movie. With a `posterState` it is a placeholder. */
type Poster = { title: string; imageUrl: string; posterState?: string | undefined }

/** A poster beside the title of its movie, so it needs no text. Without a picture it is a card with the title. */
export function MoviePoster({ card, className }: { card: Poster; className?: string }) {
  const { imageUrl, posterState, title } = card
  const [brokenUrl, setBrokenUrl] = useState<string>()
  if (posterState !== undefined || imageUrl === brokenUrl) {
    return (
      <span
        aria-hidden
        className={classes(
          'flex aspect-2/3 items-center justify-center overflow-hidden rounded-poster border border-card-back-edge bg-card-back p-2 text-center font-display text-sm font-semibold',
          className,
        )}
      >
        <span className="line-clamp-5">{title}</span>
      </span>
    )
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
