import '#web/i18n/signed-in-texts.ts'
import '#web/i18n/night-texts.ts'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate, useParams } from 'react-router'

import { MemberScreen } from '#web/features/nights/big-screen/member-screen.tsx'
import { nightList } from '#web/features/nights/night/night-list.ts'
import { useLiveNights } from '#web/features/nights/night/queries.ts'
import { to } from '#web/paths.ts'
import { Waiting } from '#web/session/guards.tsx'
import { useSignedInUser } from '#web/session/use-session.ts'

import { OwnCache } from './own-cache.tsx'

/** `/watchlists/{id}/night/screen`: the open night on a big screen. */
export function Component() {
  const { watchlistId = '' } = useParams()
  return (
    <OwnCache>
      <OpenNightScreen key={watchlistId} watchlistId={watchlistId} />
    </OwnCache>
  )
}

function OpenNightScreen({ watchlistId }: { watchlistId: string }) {
  const navigate = useNavigate()
  const { username } = useSignedInUser()
  const { data: list, error } = useQuery(nightList(watchlistId))
  useLiveNights(watchlistId)
  const open = list?.nights.find(({ state }) => state === 'open')
  if (list === undefined && error === null) return <Waiting />
  if (open === undefined) return <Navigate to={to.night(watchlistId)} replace />
  return (
    <MemberScreen
      key={open.id}
      night={open}
      username={username}
      onLeave={() => void navigate(to.night(watchlistId), { replace: true })}
    />
  )
}
