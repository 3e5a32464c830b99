import { useState } from 'react'

import { classes } from './classes.ts'

const SIZES = {
  small: { pixels: 24, style: 'size-6 text-xs' },
  normal: { pixels: 36, style: 'size-9 text-base' },
  large: { pixels: 96, style: 'size-24 text-4xl' },
}

type AvatarProps = {
  /** Its first letter replaces a missing or broken image. */
  name: string
  src?: string | null | undefined
  size?: keyof typeof SIZES
  className?: string
}

/** The avatar of a user. Decoration: the name is beside it, or names the control around it. */
export function Avatar({ name, src, size = 'normal', className }: AvatarProps) {
  const [brokenSrc, setBrokenSrc] = useState<string>()
  const { pixels, style } = SIZES[size]
  const frame = classes(
    'inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full',
    style,
    className,
  )
  if (typeof src === 'string' && src !== brokenSrc) {
    return (
      <img
        src={src}
        alt=""
        width={pixels}
        height={pixels}
        onError={() => setBrokenSrc(src)}
        className={classes(frame, 'bg-raised object-cover')}
      />
    )
  }
  const [letter = ''] = name.trim()
  return (
    <span aria-hidden className={classes(frame, 'bg-line font-display font-bold text-text select-none')}>
      {letter.toUpperCase()}
    </span>
  )
}
