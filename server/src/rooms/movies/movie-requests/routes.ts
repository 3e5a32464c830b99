import type { Handlers } from '../../club/people/service.ts'
import {
  askForMovie,
  changeRequestServer,
  connectRequestServer,
  deleteRequestServer,
  getRequestServer,
  type MovieRequestPorts,
} from './service.ts'

/** Asking for movies. All calls answer 404 while media servers are switched off. */
export function movieRequestHandlers(ports: MovieRequestPorts) {
  return {
    getRequestServer: async ({ user, params }) => ({ server: await getRequestServer(ports, user, params.watchlistId) }),
    connectRequestServer: async ({ user, params, body }) =>
      await connectRequestServer(ports, user, params.watchlistId, body),
    changeRequestServer: async ({ user, params, body }) =>
      await changeRequestServer(ports, user, params.watchlistId, body),
    deleteRequestServer: async ({ user, params }) => await deleteRequestServer(ports, user, params.watchlistId),
    askForMovie: async ({ user, params }) => await askForMovie(ports, user, params),
  } satisfies Partial<Handlers>
}
