import { useState } from 'react'

import { InviteForm } from './invite-form.tsx'
import { type Notice, NoticeBanner } from './invite-notice.tsx'

type InviteByNameProps = {
  watchlistId: string
  /** The form is what its screen is for. */
  isMain?: boolean
}

/** The invite form, and what became of the last invitation. */
export function InviteByName({ watchlistId, isMain = false }: InviteByNameProps) {
  const [notice, setNotice] = useState<Notice>({ of: 'nothing' })
  const forget = () => setNotice({ of: 'nothing' })
  return (
    <>
      <InviteForm
        watchlistId={watchlistId}
        isMain={isMain}
        onStart={forget}
        onInvited={(invitation) => setNotice({ of: 'sent', invitation })}
        onMailed={(invitation) => setNotice({ of: 'mailed', invitation })}
      />
      <NoticeBanner notice={notice} onEnd={forget} />
    </>
  )
}
