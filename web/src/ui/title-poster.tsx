import { classes } from './classes.ts'

/** From the top left to the bottom right, dark in both themes. */
const COLORS = [
  ['#5b2333', '#1f0d14'],
  ['#24466b', '#0d1a2b'],
  ['#2f5a46', '#0f211a'],
  ['#6b4a1f', '#261a0b'],
  ['#4a2f63', '#1a1024'],
] as const

/** The colour of the title on all of them. */
export const TITLE_COLOR = '#f7f3ea'

/** The colours of the poster that replaces a missing one. A title always has the same. */
export function titleColors(title: string): (typeof COLORS)[number] {
  const sum = Array.from(title, (character) => character.codePointAt(0) ?? 0).reduce((all, code) => all + code, 0)
  return COLORS[sum % COLORS.length] ?? COLORS[0]
}

/**
 * Replaces a missing poster: the title on a colour that depends on it. Where it is too small to read, only the colour. Hidden
 * from screen readers, since the title is beside it.
 */
export function TitlePoster({ title, className }: { title: string; className?: string | undefined }) {
  const [from, to] = titleColors(title)
  return (
    <span
      aria-hidden
      className={classes('@container block aspect-2/3 overflow-hidden rounded-poster', className)}
      style={{ backgroundImage: `linear-gradient(to bottom right, ${from}, ${to})`, color: TITLE_COLOR }}
    >
      <span className="flex size-full flex-col justify-end p-[8cqw] text-start @max-[5rem]:hidden">
        <span className="line-clamp-6 font-display text-[clamp(0.75rem,11cqw,2rem)] leading-tight font-semibold wrap-anywhere">
          {title}
        </span>
      </span>
    </span>
  )
}
