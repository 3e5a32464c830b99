import type { ComponentType } from 'react'
import { Navigate, useParams } from 'react-router'

import { type AccountTab, to } from '#web/paths.ts'

import { Component as SignIn } from './account-sign-in.tsx'
import { Component as Devices } from './devices.tsx'
import { Component as NotificationSettings } from './notification-settings.tsx'
import { Component as OwnData } from './own-data.tsx'
import { Component as Tokens } from './tokens.tsx'

const SCREENS = new Map<string | undefined, ComponentType>([
  ['sign-in', SignIn],
  ['devices', Devices],
  ['notifications', NotificationSettings],
  ['tokens', Tokens],
  ['data', OwnData],
] satisfies [AccountTab, ComponentType][])

/** /account/{tab}. `security` was the page of earlier versions. */
export function Component() {
  const { tab } = useParams()
  const Screen = SCREENS.get(tab)
  if (Screen) return <Screen />
  return <Navigate replace to={tab === 'security' ? to.account('sign-in') : to.home()} />
}
