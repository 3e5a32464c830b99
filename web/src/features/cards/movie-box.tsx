import { classes } from '#web/ui/classes.ts'

import { CardBack } from './card-back.tsx'

/** Where the cards that peek out stand: from the middle outwards, each a little different. */
const PEEKS = [
  'left-[44%] -rotate-2 top-1',
  'left-[25%] rotate-3 top-4',
  'left-[63%] rotate-6 top-3',
  'left-[8%] -rotate-6 top-6',
  'left-[80%] -rotate-3 top-5',
] as const

/** The box seen from the front: up to five cards peek out of its slot; an empty one stands open. Decoration. */
export function MovieBox({ count }: { count: number }) {
  return (
    <div aria-hidden className="relative mx-auto h-20 w-full max-w-lg overflow-hidden select-none">
      {PEEKS.slice(0, count).map((place) => (
        <div key={place} className={classes('absolute h-28 w-1/7 animate-peek', place)}>
          <CardBack />
        </div>
      ))}
      {count === 0 && (
        <>
          <div className="absolute bottom-2 left-0 h-3 w-2/5 origin-bottom-left -rotate-12 rounded-t-control border border-control-edge bg-raised" />
          <div className="absolute right-0 bottom-2 h-3 w-2/5 origin-bottom-right rotate-12 rounded-t-control border border-control-edge bg-raised" />
        </>
      )}
      <div className="absolute inset-x-0 bottom-0 h-3 rounded-t-control border border-b-0 border-control-edge bg-canvas" />
    </div>
  )
}
