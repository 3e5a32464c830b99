import { type ComponentProps, type ReactNode, useLayoutEffect, useRef, useImperativeHandle } from 'react'

import { classes } from './classes.ts'
import { Spinner } from './spinner.tsx'

export type ButtonTone = 'primary' | 'quiet' | 'danger'

const TONES: Record<ButtonTone, string> = {
  primary: 'border-transparent bg-accent text-on-accent enabled:hover:bg-accent-strong',
  quiet: 'border-control-edge bg-transparent text-text enabled:hover:bg-raised',
  danger: 'border-danger bg-transparent text-danger enabled:hover:bg-raised',
}

const SIZES = {
  small: 'min-h-9 px-3 text-sm pointer-coarse:min-h-11',
  normal: 'min-h-10 px-4 pointer-coarse:min-h-11',
  large: 'min-h-12 px-5',
}

const SHAPE =
  'inline-flex items-center justify-center gap-2 rounded-control border font-semibold transition-colors disabled:opacity-55 [&>svg]:size-4.5 [&>svg]:shrink-0'

/** The classes of a button, for links that look like one. */
export function buttonStyle(tone: ButtonTone, size: keyof typeof SIZES = 'normal'): string {
  return classes(SHAPE, TONES[tone], SIZES[size])
}

type ButtonProps = Omit<ComponentProps<'button'>, 'type' | 'children'> & {
  tone: ButtonTone
  size?: keyof typeof SIZES
  type?: 'button' | 'submit'
  /**
   * While true the button is disabled and shows a spinner in place of its icon. If it had the focus, it gets it back.
   */
  busy?: boolean | undefined
  icon?: ReactNode
  children: ReactNode
}

/** A button with a text. It does not submit a form by default. */
export function Button({
  tone,
  size = 'normal',
  type = 'button',
  busy = false,
  icon,
  className,
  disabled,
  children,
  ref,
  ...rest
}: ButtonProps) {
  const button = useKeptFocus(busy)
  // Passes the element on to the ref of the caller.
  useImperativeHandle(ref, () => button.current as HTMLButtonElement, [button])
  return (
    <button
      {...rest}
      ref={button}
      type={type === 'submit' ? 'submit' : 'button'}
      disabled={busy || disabled === true}
      aria-busy={busy || undefined}
      className={classes(buttonStyle(tone, size), className)}
    >
      {busy ? <Spinner /> : icon}
      <span>{children}</span>
    </button>
  )
}

/** A browser takes the focus from a button that is disabled. */
function useKeptFocus(busy: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    if (busy) hadFocus.current = document.activeElement === button.current
    else if (hadFocus.current) {
      hadFocus.current = false
      if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
    }
  }, [busy])
  return button
}
