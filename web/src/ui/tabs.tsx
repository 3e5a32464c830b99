import { Tab, TabGroup, TabList, TabPanel, TabPanels } from '@headlessui/react'
import type { ReactNode } from 'react'

type TabsProps<Value extends string> = {
  label: string
  value: Value
  tabs: readonly { value: Value; label: string; content: ReactNode }[]
  onChange: (value: Value) => void
}

/** Parts of a dialog, one at a time. Import it only where it loads lazily. */
export function Tabs<Value extends string>({ label, value, tabs, onChange }: TabsProps<Value>) {
  return (
    <TabGroup
      selectedIndex={tabs.findIndex((tab) => tab.value === value)}
      onChange={(index) => {
        const chosen = tabs[index]
        if (chosen !== undefined) onChange(chosen.value)
      }}
    >
      <TabList aria-label={label} className="mt-4 flex border-b border-line">
        {tabs.map((tab) => (
          <Tab
            key={tab.value}
            className="-mb-px min-h-11 flex-auto border-b-2 border-transparent px-2 text-sm font-semibold text-muted hover:text-text data-selected:border-accent data-selected:text-text"
          >
            {tab.label}
          </Tab>
        ))}
      </TabList>
      <TabPanels className="pt-4">
        {tabs.map((tab) => (
          <TabPanel key={tab.value} tabIndex={-1} className="flex flex-col gap-4 focus:outline-none">
            {tab.content}
          </TabPanel>
        ))}
      </TabPanels>
    </TabGroup>
  )
}
