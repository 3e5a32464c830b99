import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'

import { routes } from './router.tsx'

const router = createBrowserRouter(routes)

/** The app, once it is known how it is set up. */
export function App() {
  return <RouterProvider router={router} />
}
