import { Check } from 'lucide-react'
import { type ReactElement, type ReactNode, use, useEffect, useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'

import { announce } from './live-region.tsx'
import { type MenuParts, MenuPartsContext, type MenuProps } from './menu-parts.ts'

function useParts(): MenuParts {
  const parts = use(MenuPartsContext)
  if (parts === undefined) throw new Error('This is an entry of a menu')
  return parts
}

/** Loads the code of open menus. A menu also does so when its button gets the pointer or the focus. */
export async function loadMenu() {
  const { HeadlessMenu } = await import('./headless-menu.tsx')
  return HeadlessMenu
}

/** Without a network this fails. The next attempt tries again. */
function preload(): void {
  loadMenu().catch(() => {})
}

/** Long enough not to delay the first view. */
const PRELOAD_AFTER_MS = 10_000

/** For screens with menus: loads their code some time after the screen appears, so that they open offline. */
export function useMenuPreload(): void {
  useEffect(() => {
    const timer = setTimeout(preload, PRELOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
}

/**
 * A button with a menu: arrow keys, Home, End, Escape, and type-ahead. The menu stays in the landmark of its button.
 * Its code loads when the button gets the pointer or the focus. Until it is pressed it is only a button.
 */
export function Menu(props: MenuProps) {
  const [loaded, setLoaded] = useState<{ Part: Awaited<ReturnType<typeof loadMenu>> }>()
  const [isLoading, setLoading] = useState(false)
  const { t } = useTranslation('common')
  const open = async (button: HTMLElement) => {
    setLoading(true)
    try {
      const Part = await loadMenu()
      // The menu takes the focus, which the user may have moved meanwhile.
      if (document.activeElement?.contains(button) === true) setLoaded({ Part })
    } catch {
      // The next press tries again.
      announce(t('errors.network'))
    }
    setLoading(false)
  }

  if (loaded !== undefined) return <loaded.Part {...props} />
  const { ref, label, trigger, triggerClassName } = props
  return (
    <button
      ref={ref}
      type="button"
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      aria-busy={isLoading || undefined}
      className={triggerClassName}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={({ currentTarget }) => void open(currentTarget)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        void open(event.currentTarget)
      }}
    >
      {trigger}
    </button>
  )
}

export const menuItemStyle =
  'flex w-full min-h-9 items-center gap-3 rounded-control px-3 py-2 text-start pointer-coarse:min-h-11 data-focus:bg-line [&>svg]:size-4.5 [&>svg]:shrink-0'

/** One entry of a menu with a link of the router, which takes `menuItemStyle`. */
export function MenuItem({ children }: { children: ReactElement }) {
  const { Item } = useParts()
  return <Item>{children}</Item>
}

type MenuActionProps = {
  icon?: ReactNode
  /** Whether the entry is the current choice. Leave it out if the menu has no choice. */
  isCurrent?: boolean
  onSelect: () => void
  children: ReactNode
}

/** One entry of a menu that does something. */
export function MenuAction({ icon, isCurrent, onSelect, children }: MenuActionProps) {
  return (
    <MenuItem>
      <button
        type="button"
        onClick={onSelect}
        aria-current={isCurrent === true ? 'true' : undefined}
        className={menuItemStyle}
      >
        {icon}
        <span className="min-w-0 flex-1 truncate">{children}</span>
        {isCurrent === true && <Check aria-hidden className="text-accent" />}
      </button>
    </MenuItem>
  )
}

export function MenuLine() {
  const { Separator } = useParts()
  return <Separator as="hr" className="mx-1.5 my-1.5 border-line" />
}

/** A group of entries under a heading. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  const { Section, Heading } = useParts()
  return (
    <Section>
      <Heading className="px-3 pt-1.5 pb-1 text-xs font-semibold text-muted">{label}</Heading>
      {children}
    </Section>
  )
}
