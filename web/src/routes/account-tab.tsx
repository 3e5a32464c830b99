import type { ReactElement } from 'react'
import { Navigate, useParams } from 'react-router'

import { type AccountTab, to } from '#web/paths.ts'

import { Component as SignIn } from './account-sign-in.tsx'
import { Component as Devices } from './devices.tsx'
import { Component as NotificationSettings } from './notification-settings.tsx'
import { Component as OwnData } from './own-data.tsx'
import { Component as Tokens } from './tokens.tsx'

const SCREENS: Readonly<Record<AccountTab, ReactElement>> = {
  'sign-in': <SignIn />,
  devices: <Devices />,
  notifications: <NotificationSettings />,
  tokens: <Tokens />,
  data: <OwnData />,
}

/** /account/{tab}. `security` was the page of earlier versions. */
export function Component(): ReactElement {
  const { tab = '' } = useParams()
  if (isTab(tab)) return SCREENS[tab]
  return <Navigate replace to={tab === 'security' ? to.account('sign-in') : to.home()} />
}

function isTab(tab: string): tab is AccountTab {
  return Object.hasOwn(SCREENS, tab)
}
