import { CircleUser, KeyRound, Languages, LayoutList, LogOut, ShieldCheck, Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'

import { language, LANGUAGE_NAMES } from '#web/i18n/language.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { PersonAvatar } from '#web/people/person-avatar.tsx'
import { Menu, MenuAction, MenuItem, menuItemStyle, MenuLine, MenuGroup } from '#web/ui/menu.tsx'
import { chooseTheme, storedTheme, THEME_CHOICES, type ThemeChoice } from '#web/ui/theme.ts'

export type AccountMenuProps = {
  username: string
  loginId: string
  onSignOut: () => void
}

/** The avatar of the user with their menu. */
export function AccountMenu({ username, loginId, onSignOut }: AccountMenuProps) {
  const { t } = useTranslation('watchlist')
  const name = username === '' ? loginId : username
  return (
    <Menu
      label={t('topBar.account', { name })}
      align="end"
      triggerClassName="flex size-11 shrink-0 items-center justify-center rounded-full hover:bg-raised data-open:bg-raised"
      trigger={<PersonAvatar username={username} fallbackName={name} />}
    >
      <div className="px-3 py-2">
        <p className="truncate font-semibold">{name}</p>
        {loginId !== name && <p className="truncate text-sm text-muted">{loginId}</p>}
      </div>
      <MenuLine />
      <MenuItem>
        <Link to={to.watchlists()} className={menuItemStyle}>
          <LayoutList aria-hidden />
          {t('topBar.manage')}
        </Link>
      </MenuItem>
      <MenuItem>
        <Link to={to.profileEdit()} className={menuItemStyle}>
          <CircleUser aria-hidden />
          {t('topBar.editProfile')}
        </Link>
      </MenuItem>
      <MenuItem>
        <Link to={to.changePassword()} className={menuItemStyle}>
          <KeyRound aria-hidden />
          {t('topBar.changePassword')}
        </Link>
      </MenuItem>
      <MenuItem>
        <Link to={to.account('sign-in')} className={menuItemStyle}>
          <ShieldCheck aria-hidden />
          {t('topBar.signInSettings')}
        </Link>
      </MenuItem>
      <MenuItem>
        <Link to={`${to.profileEdit()}#language`} className={menuItemStyle}>
          <Languages aria-hidden />
          {t('topBar.language', { name: LANGUAGE_NAMES[language] })}
        </Link>
      </MenuItem>
      <MenuLine />
      <ThemeSwitch />
      <MenuLine />
      <MenuAction icon={<LogOut aria-hidden />} onSelect={onSignOut}>
        {t('topBar.signOut')}
      </MenuAction>
    </Menu>
  )
}

const ICONS: Record<ThemeChoice, typeof Sun> = { dark: Moon, light: Sun, system: Monitor }

/** Dark, light, or as the system. Stored in this browser. */
function ThemeSwitch() {
  const { t } = useTranslation('watchlist')
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
