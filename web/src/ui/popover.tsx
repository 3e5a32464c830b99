import { Popover as HeadlessPopover, PopoverButton, PopoverPanel } from '@headlessui/react'
import type { ReactNode } from 'react'

type PopoverProps = {
  /** The name of the button that opens the panel. */
  label: string
  /** What the button shows. */
  trigger: ReactNode
  triggerClassName: string
  /** Where the panel stands, below the nearest positioned box. */
  panelClassName: string
  children: (close: () => void) => ReactNode
}

/** A button with a panel of its own. Escape and a press outside close it; the focus goes back to the button. */
export function Popover({ label, trigger, triggerClassName, panelClassName, children }: PopoverProps) {
  return (
    <HeadlessPopover>
      <PopoverButton aria-label={label} className={triggerClassName}>
        {trigger}
      </PopoverButton>
      <PopoverPanel
        focus
        className={`absolute z-40 overflow-y-auto rounded-panel border border-line bg-surface p-4 shadow-float focus:outline-none ${panelClassName}`}
      >
        {({ close }) => <>{children(() => close())}</>}
      </PopoverPanel>
    </HeadlessPopover>
  )
}
