import {
  Menu as Root,
  MenuButton,
  MenuHeading,
  MenuItem,
  MenuItems,
  MenuSection,
  MenuSeparator,
} from '@headlessui/react'
import { useEffect, useRef } from 'react'

import { classes } from './classes.ts'
import { MenuPartsContext, type MenuProps } from './menu-parts.ts'

const PARTS = { Item: MenuItem, Section: MenuSection, Heading: MenuHeading, Separator: MenuSeparator }

/** The menu, which opens when it is mounted. `menu.tsx` loads it when its button is pressed. */
export function HeadlessMenu(props: MenuProps) {
  const { ref, label, trigger, triggerClassName, align = 'start', isShrinking = false, children } = props
  const { panelClassName } = props
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const button = place.current?.querySelector('button')
    // This button replaces the one that was pressed.
    button?.focus()
    // Headless UI cannot open a menu by code.
    button?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  }, [])

  return (
    <Root>
      <div ref={place} className={classes('relative flex', isShrinking ? 'min-w-0' : 'shrink-0')}>
        <MenuButton {...(ref === undefined ? {} : { ref })} aria-label={label} className={triggerClassName}>
          {trigger}
        </MenuButton>
        <MenuItems
          modal={false}
          className={classes(
            'absolute top-full z-40 mt-2 max-h-[calc(100dvh-5rem)] w-72 overflow-y-auto rounded-panel border border-line bg-raised p-1.5 shadow-float focus:outline-none',
            align === 'start' ? 'start-0' : 'end-0',
            panelClassName,
          )}
        >
          <MenuPartsContext value={PARTS}>{children}</MenuPartsContext>
        </MenuItems>
      </div>
    </Root>
  )
}
