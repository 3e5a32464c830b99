import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { MenuAction, MenuGroup } from '#web/ui/menu.tsx'
import { chooseTheme, storedTheme, THEME_CHOICES, type ThemeChoice } from '#web/ui/theme.ts'

const ICONS: Record<ThemeChoice, typeof Sun> = { dark: Moon, light: Sun, system: Monitor }

/** Dark, light, or as the system has it; remembered in this browser. */
export function ThemeSwitch() {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState(storedTheme)
  return (
    <MenuGroup label={t('topBar.theme')}>
      {THEME_CHOICES.map((choice) => {
        const Icon = ICONS[choice]
        return (
          <MenuAction
            key={choice}
            icon={<Icon aria-hidden />}
            isCurrent={choice === chosen}
            onSelect={() => {
              chooseTheme(choice)
              setChosen(choice)
            }}
          >
            {t(`topBar.themes.${choice}`)}
          </MenuAction>
        )
      })}
    </MenuGroup>
  )
}
