import { Check, Copy } from 'lucide-react'
import { useState } from 'react'

import { Button, type ButtonTone } from '#web/ui/button.tsx'

type CopyTextProps = { text: string; label: string; doneLabel: string; tone?: ButtonTone }

/** Copies a text. If the browser forbids it, the user can select the text beside the button. */
export function CopyText({ text, label, doneLabel, tone = 'quiet' }: CopyTextProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      setCopied(false)
    }
  }
  return (
    <Button
      tone={tone}
      size={tone === 'primary' ? 'normal' : 'small'}
      icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      aria-live="polite"
      onClick={() => void copy()}
    >
      {isCopied ? doneLabel : label}
    </Button>
  )
}
