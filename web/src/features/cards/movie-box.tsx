import { classes } from '#web/ui/classes.ts'

import { CardBack } from './card-back.tsx'

/** Where the cards stand that peek out, from the middle outwards, none quite like the other. */
const PEEKS = [
  'left-[50%] top-2 rotate-2',
  'left-[33%] top-5 -rotate-3',
  'left-[67%] top-4 rotate-6',
  'left-[17%] top-8 -rotate-8',
  'left-[83%] top-7 rotate-3',
] as const

const EDGE = 'stroke-control-edge'

/** The open top of the box, seen from the front: up to five cards peek out; an empty one shows its lid. Decoration. */
export function MovieBox({ count }: { count: number }) {
  return (
    <div aria-hidden className="relative -mb-px h-24 overflow-hidden select-none">
      {count === 0 && <Shape path="M4 100 L7 2 L93 2 L96 100" className={`top-9 bottom-4 fill-surface ${EDGE}`} />}
      <Shape path="M4 2 L96 2 L100 100 L0 100 Z" className={`bottom-0 h-5 fill-line ${EDGE}`} />
      {PEEKS.slice(0, count).map((place) => (
        <div key={place} className={classes('absolute h-36 w-24 -translate-x-1/2', place)}>
          <div className="size-full animate-peek">
            <CardBack />
          </div>
        </div>
      ))}
    </div>
  )
}

function Shape({ path, className }: { path: string; className: string }) {
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" className={`absolute inset-x-0 size-full ${className}`}>
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
