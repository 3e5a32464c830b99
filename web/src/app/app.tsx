import { BrowserRouter, useRoutes } from 'react-router'

import { useLastScreenEnd } from '#web/ui/last-screen.tsx'

import { routes } from './router.tsx'

const Routes = () => useRoutes(routes)

/** The app. Needs the configuration. */
export function App() {
  useLastScreenEnd()
  return (
    <BrowserRouter>
      <Routes />
    </BrowserRouter>
  )
}
