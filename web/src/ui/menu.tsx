import {
  Menu as HeadlessMenu,
  MenuButton,
  MenuHeading,
  MenuItem as HeadlessMenuItem,
  MenuItems,
  MenuSection,
  MenuSeparator,
  Portal,
} from '@headlessui/react'
import { Check } from 'lucide-react'
import { type ReactElement, type ReactNode, type Ref, useRef } from 'react'

// oxlint-disable-next-line typescript/no-deprecated -- the name it shall have one day is not exported yet
const PortalGroup = Portal.Group

type MenuProps = {
  /** The button, for those who bring the focus back to it. */
  ref?: Ref<HTMLButtonElement>
  /** The name of the button that opens the menu; begins with the words seen on it. */
  label: string
  /** What the button shows. */
  trigger: ReactNode
  triggerClassName?: string
  align?: 'start' | 'end'
  children: ReactNode
}

/**
 * A button with a menu: arrow keys, Home, End, Escape, and type-ahead that clears after 350 ms (spec section 9). The
 * menu stays in the landmark of its button, and the page around it stays as it is.
 */
export function Menu({ ref, label, trigger, triggerClassName, align = 'start', children }: MenuProps) {
  const place = useRef<HTMLDivElement>(null)
  return (
    <HeadlessMenu>
      <div ref={place} className="contents">
        <MenuButton {...(ref === undefined ? {} : { ref })} aria-label={label} className={triggerClassName}>
          {trigger}
        </MenuButton>
        <PortalGroup target={place}>
          <MenuItems
            anchor={{ to: align === 'start' ? 'bottom start' : 'bottom end', gap: 8, padding: 8 }}
            modal={false}
            className="z-40 w-72 max-w-[calc(100vw-1rem)] rounded-panel border border-line bg-raised p-1.5 shadow-float focus:outline-none"
          >
            {children}
          </MenuItems>
        </PortalGroup>
      </div>
    </HeadlessMenu>
  )
}

export const menuItemStyle =
  'flex w-full min-h-9 items-center gap-3 rounded-control px-3 py-2 text-left pointer-coarse:min-h-11 data-focus:bg-line [&>svg]:size-4.5 [&>svg]:shrink-0'

/** One entry of a menu around a link of the router's, which takes `menuItemStyle`. */
export function MenuItem({ children }: { children: ReactElement }) {
  return <HeadlessMenuItem>{children}</HeadlessMenuItem>
}

type MenuActionProps = {
  icon?: ReactNode
  /** The entry that holds now is checked. Leave it out where nothing is chosen. */
  isCurrent?: boolean
  onSelect: () => void
  children: ReactNode
}

/** One entry of a menu that does something. */
export function MenuAction({ icon, isCurrent, onSelect, children }: MenuActionProps) {
  return (
    <HeadlessMenuItem>
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
    </HeadlessMenuItem>
  )
}

export function MenuLine() {
  return <MenuSeparator as="hr" className="mx-1.5 my-1.5 border-line" />
}

/** Entries that belong together, under words that say why. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <MenuSection>
      <MenuHeading className="px-3 pt-1.5 pb-1 text-xs font-semibold text-muted">{label}</MenuHeading>
      {children}
    </MenuSection>
  )
}
