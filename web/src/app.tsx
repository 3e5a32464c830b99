import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'

import { routes } from './router.tsx'

const router = createBrowserRouter(routes)

/** The app. Needs the configuration. */
export function App() {
  return <RouterProvider router={router} />
}
