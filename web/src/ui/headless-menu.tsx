import {
  Menu as Root,
  MenuButton,
  MenuHeading,
  MenuItem,
  MenuItems,
  MenuSection,
  MenuSeparator,
  Portal,
} from '@headlessui/react'
import { useEffect, useRef } from 'react'

import { MenuPartsContext, type MenuProps } from './menu.tsx'

// oxlint-disable-next-line typescript/no-deprecated -- the name it shall have one day is not exported yet
const PortalGroup = Portal.Group

const PARTS = { Item: MenuItem, Section: MenuSection, Heading: MenuHeading, Separator: MenuSeparator }

/** The menu itself, which opens at once; `menu.tsx` fetches it when its button is pressed. */
export function HeadlessMenu({ ref, label, trigger, triggerClassName, align = 'start', children }: MenuProps) {
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const button = place.current?.querySelector('button')
    // The button that was pressed has given way to this one.
    button?.focus()
    // Headless UI has no other way to open a menu than what a person does.
    button?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  }, [])

  return (
    <Root>
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
            <MenuPartsContext value={PARTS}>{children}</MenuPartsContext>
          </MenuItems>
        </PortalGroup>
      </div>
    </Root>
  )
}
