import { useEffect, useState } from 'react'

const DIM_AFTER_MS = 60_000
/** A still tap moves no pointer. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown']

/** True a while after the film was accepted, until a key or the pointer is used. `film` is its id; undefined before. */
export function useDimmed(film: string | undefined): boolean {
  const [dimmed, setDimmed] = useState<string>()
  useEffect(() => {
    if (film === undefined) return undefined
    const dim = () => setDimmed(film)
    let timer = setTimeout(dim, DIM_AFTER_MS)
    const brighten = () => {
      setDimmed(undefined)
      clearTimeout(timer)
      timer = setTimeout(dim, DIM_AFTER_MS)
    }
    for (const sign of SIGNS) document.addEventListener(sign, brighten)
    return () => {
      clearTimeout(timer)
      for (const sign of SIGNS) document.removeEventListener(sign, brighten)
    }
  }, [film])
  return film !== undefined && dimmed === film
}
