import { useMemo } from 'react'
import { renderSVG } from 'uqr'

/** A QR code, dark on white in both themes, because cameras expect that. Import it only where it loads lazily. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const source = useMemo(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { border: 3 }))}`, [text])
  return <img src={source} alt={label} width={224} height={224} className="max-w-full rounded-control bg-white" />
}
