import { useSyncExternalStore } from 'react'

/** Narrower than Tailwind's `sm`. */
const PHONE = '(width < 40rem)'

export function isPhone(): boolean {
  return matchMedia(PHONE).matches
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(PHONE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the screen is as narrow as a phone's. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, isPhone)
}
