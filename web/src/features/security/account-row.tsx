import type { ReactNode } from 'react'

type AccountRowProps = {
  name: string
  /** When it was made or used. */
  times?: string | undefined
  /** What can be done with it. */
  children: ReactNode
}

/** Something that belongs to an account, in a list of its owner: what it is called, and what can be done with it. */
export function AccountRow({ name, times, children }: AccountRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="flex min-w-0 flex-1 basis-44 flex-col">
        <span className="truncate font-semibold">{name}</span>
        {times !== undefined && <span className="text-sm text-muted">{times}</span>}
      </div>
      <div className="flex flex-wrap items-center gap-2">{children}</div>
    </li>
  )
}
