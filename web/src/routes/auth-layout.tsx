import { Outlet } from 'react-router'

import { SignLayout } from '#web/features/club/auth-screens/sign-layout.tsx'

/** The shared layout of the authentication screens. */
export function Component() {
  return (
    <SignLayout>
      <Outlet />
    </SignLayout>
  )
}
