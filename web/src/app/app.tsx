import { BrowserRouter, useRoutes } from 'react-router'

import { routes } from './router.tsx'

const Routes = () => useRoutes(routes)

/** The app. Needs the configuration. */
export function App() {
  return (
    <BrowserRouter>
      <Routes />
    </BrowserRouter>
  )
}
