import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

type State<P> = { at: 'loading' } | { at: 'ready'; Part: ComponentType<P> } | { at: 'failed' }

type LazyPartOptions<P> = {
  load: () => Promise<ComponentType<P>>
  /** Shown until it is there. */
  Loading?: ComponentType<P>
  /** Shown where it could not be fetched. */
  Failed: ComponentType<P & { onRetry: () => void }>
}

/**
 * A part of a screen whose code is fetched when it is first shown. A fetch that fails is told in its place and can be
 * tried again; the screen around it stays. `preload` fetches ahead, for when it is about to be needed.
 */
export function lazyPart<P extends object>({ load, Loading, Failed }: LazyPartOptions<P>) {
  let loaded: ComponentType<P> | undefined
  const fetchPart = async () => {
    loaded = await load()
    return loaded
  }

  function LazyPart(props: P): ReactNode {
    const [state, setState] = useState<State<P>>(() =>
      loaded === undefined ? { at: 'loading' } : { at: 'ready', Part: loaded },
    )
    const isLoading = state.at === 'loading'
    useEffect(() => {
      if (!isLoading) return undefined
      let isLeft = false
      fetchPart().then(
        (Part) => isLeft || setState({ at: 'ready', Part }),
        () => isLeft || setState({ at: 'failed' }),
      )
      return () => {
        isLeft = true
      }
    }, [isLoading])

    switch (state.at) {
      case 'loading':
        return Loading === undefined ? null : <Loading {...props} />
      case 'ready':
        return <state.Part {...props} />
      case 'failed':
        return <Failed {...props} onRetry={() => setState({ at: 'loading' })} />
    }
  }

  return Object.assign(LazyPart, { preload: () => void fetchPart().catch(() => {}) })
}
