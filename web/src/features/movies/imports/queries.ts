import type { BodyInput } from '@marquee/contract/endpoints'
import { IMPORT_ENDPOINTS } from '@marquee/contract/endpoints/imports'
import type { ImportGroup, ImportReview, MovieImport } from '@marquee/contract/entities/import'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'

import { call, PAGED } from '#web/api/call.ts'
import { changeKey, stopReading } from '#web/api/own-changes.ts'

const POLL_MS = 1_000

const importKeys = {
  list: (watchlistId: string) => ['imports', watchlistId, 'list'] as const,
  rows: (watchlistId: string, importId: string) => ['imports', watchlistId, importId] as const,
}

/** The server is adding or removing cards. */
export function isRunning({ state }: MovieImport): boolean {
  return state === 'applying' || state === 'undoing'
}

/** The user's imports into a watchlist, newest first. Polled while one is running. */
export const imports = (watchlistId: string) =>
  queryOptions({
    queryKey: importKeys.list(watchlistId),
    queryFn: async ({ signal }) => call(IMPORT_ENDPOINTS.listImports, { params: { watchlistId }, signal }),
    refetchInterval: ({ state }) => (state.data?.some(isRunning) === true ? POLL_MS : false),
  })

/** The rows of one group, page by page. */
export const importRows = ({ watchlistId, id: importId }: MovieImport, group: ImportGroup) =>
  infiniteQueryOptions({
    queryKey: [...importKeys.rows(watchlistId, importId), group],
    queryFn: async ({ pageParam, signal }) =>
      call(IMPORT_ENDPOINTS.getImport, {
        params: { watchlistId, importId },
        query: { group, nextToken: pageParam },
        signal,
      }),
    ...PAGED,
  })

/** Shows a new or changed import in the list. */
function showImport(client: QueryClient, changed: MovieImport): void {
  client.setQueryData(imports(changed.watchlistId).queryKey, (list = []) => {
    const isKnown = list.some(({ id }) => id === changed.id)
    // A new one has replaced a review that was not finished.
    const others = isKnown ? list : list.filter(({ state }) => state !== 'review')
    return isKnown ? others.map((one) => (one.id === changed.id ? changed : one)) : [changed, ...others]
  })
}

type Upload = BodyInput<typeof IMPORT_ENDPOINTS.beginImport> & { onProgress: (sent: number) => void }

/** Sends a file. */
export function useBeginImport(watchlistId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ onProgress, ...body }: Upload) =>
      call(IMPORT_ENDPOINTS.beginImport, { params: { watchlistId }, body, onProgress }),
    onSuccess: (begun) => showImport(client, begun),
  })
}

type Choice = BodyInput<typeof IMPORT_ENDPOINTS.chooseImportRows>

/** Chooses rows, or all of a group. The rows show it at once; a failure reads them again. */
export function useChooseRows({ watchlistId, id: importId }: MovieImport) {
  const client = useQueryClient()
  const queryKey = importKeys.rows(watchlistId, importId)
  return useMutation({
    mutationFn: async (body: Choice) =>
      call(IMPORT_ENDPOINTS.chooseImportRows, { params: { watchlistId, importId }, body }),
    // One after the other, so that the last choice of a row is the one that stays.
    scope: { id: `choose ${importId}` },
    mutationKey: changeKey(watchlistId),
    onMutate: async ({ rows, group, isChosen }) => {
      // Its answer may be from before this choice.
      await stopReading(client, watchlistId, queryKey)
      client.setQueriesData<InfiniteData<ImportReview>>({ queryKey }, (data) =>
        data === undefined
          ? data
          : {
              ...data,
              pages: data.pages.map((page) => ({
                ...page,
                rows: page.rows.map((row) =>
                  rows?.includes(row.id) === true || row.group === group ? { ...row, isChosen } : row,
                ),
              })),
            },
      )
    },
    onSuccess: (changed) => showImport(client, changed),
    onError: () => void client.invalidateQueries({ queryKey }),
  })
}

const STEPS = {
  apply: IMPORT_ENDPOINTS.applyImport,
  cancel: IMPORT_ENDPOINTS.cancelImport,
  undo: IMPORT_ENDPOINTS.undoImport,
} as const

/** Applies, cancels or undoes an import. */
export function useImportStep({ watchlistId, id: importId }: MovieImport, step: keyof typeof STEPS) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => call(STEPS[step], { params: { watchlistId, importId } }),
    onSuccess: (changed) => showImport(client, changed),
    // Another tab may have been faster.
    onError: () => void client.invalidateQueries({ queryKey: importKeys.list(watchlistId) }),
  })
}
