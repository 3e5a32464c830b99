import { useEffect, useEffectEvent } from 'react'

function isEditable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]') !== null
}

/** Text that is pasted into a field stays text, even if the clipboard also has a picture of it. */
function pastedFile({ clipboardData, target }: ClipboardEvent): File | undefined {
  if (isEditable(target) && clipboardData?.types.includes('text/plain') === true) return undefined
  return clipboardData?.files[0]
}

function holdsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true
}

/**
 * Takes a file that is pasted or dropped anywhere on the page while the caller is mounted. A drop beside the target
 * would otherwise make the browser leave the page. Of several callers the first one takes it.
 */
export function useIncomingFiles(onFile: (file: File) => void): void {
  const take = useEffectEvent((event: Event, file: File | undefined) => {
    if (file === undefined || event.defaultPrevented) return
    event.preventDefault()
    onFile(file)
  })

  useEffect(() => {
    const paste = (event: ClipboardEvent) => take(event, pastedFile(event))
    const allow = (event: DragEvent) => {
      if (holdsFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent) => take(event, event.dataTransfer?.files[0])
    document.addEventListener('paste', paste)
    document.addEventListener('dragover', allow)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('paste', paste)
      document.removeEventListener('dragover', allow)
      document.removeEventListener('drop', drop)
    }
  }, [])
}
