import type { MenuHeading, MenuItem as HeadlessItem, MenuSection, MenuSeparator } from '@headlessui/react'
import { createContext, type ReactNode, type Ref } from 'react'

export type MenuParts = {
  Item: typeof HeadlessItem
  Section: typeof MenuSection
  Heading: typeof MenuHeading
  Separator: typeof MenuSeparator
}

/** The components of the entries of an open menu. */
export const MenuPartsContext = createContext<MenuParts | undefined>(undefined)

export type MenuProps = {
  /** The button, for callers that return the focus to it. */
  ref?: Ref<HTMLButtonElement>
  /** The name of the button. It begins with the visible text. */
  label: string
  /** What the button shows. */
  trigger: ReactNode
  triggerClassName?: string
  align?: 'start' | 'end'
  /** The button shrinks if there is little room. */
  isShrinking?: boolean
  /** Position and width of the menu, by default below its button. */
  panelClassName?: string
  children: ReactNode
}
