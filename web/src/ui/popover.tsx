import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'

type PopoverProps = {
  /** The name of the button that opens the panel. */
  label: string
  /** What the button shows. */
  trigger: ReactNode
  triggerClassName: string
  /** The position of the panel, relative to the nearest positioned box. */
  panelClassName: string
  children: (close: () => void) => ReactNode
}

/**
 * A button with a panel, which gets the focus. Escape, a press outside and a focus elsewhere close it. After Escape the
 * focus returns to the button.
 */
export function Popover({ label, trigger, triggerClassName, panelClassName, children }: PopoverProps) {
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const panelId = useId()

  useEffect(() => {
    if (!isOpen) return undefined
    panel.current?.focus()
    const press = ({ target }: PointerEvent) => {
      if (target instanceof Node && place.current?.contains(target) !== true) setOpen(false)
    }
    document.addEventListener('pointerdown', press)
    return () => document.removeEventListener('pointerdown', press)
  }, [isOpen])

  const close = useCallback(() => {
    setOpen(false)
    button.current?.focus()
  }, [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- what happens inside, not to it, ends here
    <div
      ref={place}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape' && isOpen) close()
      }}
      onBlur={({ relatedTarget }: FocusEvent) => {
        if (relatedTarget !== null && place.current?.contains(relatedTarget) !== true) setOpen(false)
      }}
    >
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        data-open={isOpen || undefined}
        onClick={() => setOpen(!isOpen)}
        className={triggerClassName}
      >
        {trigger}
      </button>
      {isOpen && (
        <div
          ref={panel}
          id={panelId}
          tabIndex={-1}
          className={`absolute z-40 overflow-y-auto rounded-panel border border-line bg-surface p-4 shadow-float focus:outline-none ${panelClassName}`}
        >
          <Content onClose={close}>{children}</Content>
        </div>
      )}
    </div>
  )
}

type ContentProps = { onClose: () => void; children: PopoverProps['children'] }

function Content({ onClose, children }: ContentProps) {
  return <>{children(onClose)}</>
}
