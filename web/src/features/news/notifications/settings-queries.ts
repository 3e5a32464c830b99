import type { BodyInput } from '@marquee/contract/endpoints'
import { NOTIFICATION_SETTINGS_ENDPOINTS } from '@marquee/contract/endpoints/notification-settings'
import { NOTIFICATION_GROUPS, NotificationSettings } from '@marquee/contract/entities/notification-settings'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '#web/api/call.ts'

export type SettingsChange = BodyInput<typeof NOTIFICATION_SETTINGS_ENDPOINTS.changeNotificationSettings>

const KEY = ['notification-settings'] as const

export const notificationSettings = () =>
  queryOptions({
    queryKey: KEY,
    queryFn: async ({ signal }) => call(NOTIFICATION_SETTINGS_ENDPOINTS.getNotificationSettings, { signal }),
  })

/** Saves changes one after the other. Each shows at once, and goes back if it is not saved. */
export function useChangeSettings() {
  const client = useQueryClient()
  const { queryKey } = notificationSettings()
  const isLast = () => client.isMutating({ mutationKey: KEY }) === 1
  return useMutation({
    mutationKey: KEY,
    scope: { id: KEY[0] },
    mutationFn: async (change: SettingsChange) =>
      call(NOTIFICATION_SETTINGS_ENDPOINTS.changeNotificationSettings, { body: change }),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (before) => before && withChange(before, change))
    },
    onSuccess: (saved) => {
      if (isLast()) client.setQueryData(queryKey, saved)
    },
    onError: async () => {
      if (isLast()) await client.invalidateQueries({ queryKey })
    },
  })
}

function withChange(
  before: NotificationSettings,
  { groups, watchlist, quietHours, timeZone, refusedEmail }: SettingsChange,
): NotificationSettings {
  const changed = NOTIFICATION_GROUPS.map((group) => [group, { ...before.groups[group], ...groups?.[group] }])
  const others = before.mutedWatchlistIds.filter((id) => id !== watchlist?.watchlistId)
  return {
    groups: NotificationSettings.shape.groups.parse(Object.fromEntries(changed)),
    mutedWatchlistIds: watchlist?.isMuted === true ? [...others, watchlist.watchlistId] : others,
    quietHours: quietHours === undefined ? before.quietHours : quietHours,
    timeZone: timeZone ?? before.timeZone,
    ...(before.refusedEmail !== undefined && refusedEmail !== null && { refusedEmail: before.refusedEmail }),
  }
}
