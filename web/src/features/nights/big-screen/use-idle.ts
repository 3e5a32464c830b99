import { useEffect, useState } from 'react'

/** A still tap moves no pointer. */
const POINTER_AND_KEYS = ['pointermove', 'pointerdown', 'keydown']
const SIGNS_OF_LIFE = [...POINTER_AND_KEYS, 'focusin']
const DIM_AFTER_MS = 60_000

/** True once neither a pointer nor a key was used for this long. */
export function useIdle(afterMs: number): boolean {
  return useQuiet('', afterMs, SIGNS_OF_LIFE)
}

/** True a while after the film was accepted, until a key or the pointer is used. `film` is its id; undefined before. */
export function useDimmed(film: string | undefined): boolean {
  return useQuiet(film, DIM_AFTER_MS, POINTER_AND_KEYS)
}

/** True once there was none of these events for this long. The time starts again with each subject, and not without one. */
function useQuiet(subject: string | undefined, afterMs: number, events: readonly string[]): boolean {
  const [quiet, setQuiet] = useState<string>()
  useEffect(() => {
    if (subject === undefined) return undefined
    const rest = () => setQuiet(subject)
    let timer = setTimeout(rest, afterMs)
    const wake = () => {
      setQuiet(undefined)
      clearTimeout(timer)
      timer = setTimeout(rest, afterMs)
    }
    for (const event of events) document.addEventListener(event, wake)
    return () => {
      clearTimeout(timer)
      for (const event of events) document.removeEventListener(event, wake)
    }
  }, [subject, afterMs, events])
  return subject !== undefined && quiet === subject
}
