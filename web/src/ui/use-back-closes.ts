import { useEffectEvent, useLayoutEffect } from 'react'

/**
 * A dialog has an entry of its own in the browser's history, so that the back button closes it. The entry has the router's
 * state of the page below: to the router nothing changes. A dialog that closes leaves its entry behind, because a step back
 * could cancel a navigation that begins at the same moment. The next step back skips it, and the next dialog takes it over.
 */
type Entry = { readonly dialog?: string; readonly key?: unknown; readonly idx?: unknown }

/** The open dialogs by their entries, the innermost last. */
const open = new Map<string, () => void>()
let count = 0
/** The last entry of a dialog, or the one after the last step. Those of the router in between make no difference. */
let last = currentEntry()

function currentEntry(): Entry {
  return (history.state ?? {}) as Entry
}

function addEntry(dialog: string): void {
  const entry = currentEntry()
  const isLeftBehind = entry.dialog !== undefined && !open.has(entry.dialog)
  if (isLeftBehind) history.replaceState({ ...entry, dialog }, '')
  else history.pushState({ ...entry, dialog }, '')
  last = currentEntry()
}

addEventListener('popstate', () => {
  const left = last
  last = currentEntry()
  const [dialog, close] = [...open].at(-1) ?? []
  if (dialog !== undefined && dialog !== last.dialog) {
    // It may stay open.
    addEntry(dialog)
    close?.()
    return
  }
  const wasLeftBehind = left.dialog !== undefined && !open.has(left.dialog) && left.dialog !== last.dialog
  if (wasLeftBehind && left.key === last.key && left.idx === last.idx) history.back()
})

/** While the dialog that uses this is mounted, the back button asks to close it. */
export function useBackCloses(onClose: () => void): void {
  const close = useEffectEvent(onClose)
  // The entry is there before the dialog shows.
  useLayoutEffect(() => {
    // Unlike any of an earlier load of the page.
    const dialog = `${performance.timeOrigin} ${(count += 1)}`
    addEntry(dialog)
    open.set(dialog, () => close())
    return () => void open.delete(dialog)
  }, [])
}
