import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { codeLink } from './navigation-state.ts'

/** The username and code of a mailed link. They are taken out of the address, so that they stay in no history. */
export function useCodeLink(): { username: string; code: string } | undefined {
  const navigate = useNavigate()
  const { state, hash, search } = useLocation() as { state: unknown; hash: string; search: string }
  const arriving = codeLink(hash)
  const [link, setLink] = useState(arriving)
  if (arriving !== undefined && (arriving.username !== link?.username || arriving.code !== link.code)) setLink(arriving)
  useEffect(() => {
    if (hash !== '') void navigate({ search }, { replace: true, state })
  }, [hash, navigate, search, state])
  return link
}
