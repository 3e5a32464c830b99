import { useEffect, useState } from 'react'

const SIGNS_OF_LIFE = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const

/** True once neither a pointer nor a key was used for this long. */
export function useIdle(afterMs: number): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const rest = () => setIdle(true)
    let timer = setTimeout(rest, afterMs)
    const wake = () => {
      setIdle(false)
      clearTimeout(timer)
      timer = setTimeout(rest, afterMs)
    }
    for (const sign of SIGNS_OF_LIFE) document.addEventListener(sign, wake)
    return () => {
      clearTimeout(timer)
      for (const sign of SIGNS_OF_LIFE) document.removeEventListener(sign, wake)
    }
  }, [afterMs])
  return isIdle
}
