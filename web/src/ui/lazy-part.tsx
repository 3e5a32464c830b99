import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

type State<P> = { at: 'loading' } | { at: 'ready'; Part: ComponentType<P> } | { at: 'failed' }

type LazyPartOptions<P> = {
  load: () => Promise<ComponentType<P>>
  /** Shown while the code loads. */
  Loading?: ComponentType<P>
  /** Shown if the code cannot be loaded. */
  Failed: ComponentType<P & { onRetry: () => void }>
}

/**
 * A part of a screen whose code loads when it is first shown. If that fails, `Failed` is shown in its place and can
 * retry. `preload` loads it ahead, and resolves to whether it could.
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

  return Object.assign(LazyPart, {
    preload: async () =>
      fetchPart().then(
        () => true,
        () => false,
      ),
  })
}
