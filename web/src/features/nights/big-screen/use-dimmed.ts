import { useEffect, useState } from 'react'

const DIM_AFTER_MS = 60_000

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
    document.addEventListener('pointermove', brighten)
    document.addEventListener('keydown', brighten)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('pointermove', brighten)
      document.removeEventListener('keydown', brighten)
    }
  }, [film])
  return film !== undefined && dimmed === film
}
