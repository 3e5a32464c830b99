import { useMemo } from 'react'
import { renderSVG } from 'uqr'

import { classes } from './classes.ts'

/** A QR code, dark on white in both themes, because cameras expect that. Import it only where it loads lazily. */
export function QrCode({ text, label, className }: { text: string; label: string; className?: string }) {
  const source = useMemo(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { border: 3 }))}`, [text])
  const look = classes('max-w-full rounded-control bg-white', className)
  return <img src={source} alt={label} width={224} height={224} className={look} />
}
