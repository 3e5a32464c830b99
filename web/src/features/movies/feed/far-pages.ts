import { type RefObject, startTransition, useEffect, useState } from 'react'

/** Pages that are further than this from the screen are not in the document. */
const NEAR_PX = 3_000
/** What a user may be in the middle of. */
const IN_USE = ':focus, form, [data-open]'

/** The heights of the pages of a feed that are not in the document, by number. */
type FarPages = ReadonlyMap<number, number>

/** The far pages of each feed that was left. A user who comes back finds the place, and waits for the near pages only. */
const left = new WeakMap<object, FarPages>()

/**
 * Removes pages that are far from the screen, so that each change and each frame costs the same in a short and in a long
 * feed. The children of the list are its cards, and one placeholder for each far page, with the number of their page in
 * `data-page`. The first page stays, because new and moved cards arrive there. `feed` is an object that lives as long as the pages.
 */
export function useFarPages(
  list: RefObject<HTMLElement | null>,
  pages: readonly unknown[],
  feed: object | undefined,
): FarPages {
  const [far, setFar] = useState<FarPages>(() => (feed && pages.length > 0 ? left.get(feed) : undefined) ?? new Map())
  useEffect(() => {
    if (feed !== undefined) left.set(feed, far)
  }, [feed, far])

  useEffect(() => {
    const items = [...(list.current?.children ?? [])].filter((item) => item instanceof HTMLElement)
    const update = (entries: readonly IntersectionObserverEntry[]) => {
      const next = new Map([...far].filter(([page]) => page < pages.length))
      for (const { target, isIntersecting } of entries) {
        const page = pageOf(target)
        if (isIntersecting) next.delete(page)
        else if (page > 0 && !far.has(page)) {
          const height = heightIfFar(items.filter((item) => pageOf(item) === page))
          if (height !== undefined) next.set(page, height)
        }
      }
      const isSame = next.size === far.size && [...next.keys()].every((page) => far.has(page))
      if (!isSame) startTransition(() => setFar(next))
    }
    const observer = new IntersectionObserver(update, { rootMargin: `${NEAR_PX}px 0px` })
    for (const item of items) observer.observe(item)
    return () => observer.disconnect()
  }, [list, pages, far])

  return far
}

function pageOf(item: Element): number {
  return Number(item instanceof HTMLElement ? item.dataset['page'] : 0)
}

/** The height of the cards of a page, undefined if some are near or in use. */
function heightIfFar(cards: readonly HTMLElement[]): number | undefined {
  const [first, last] = [cards.at(0), cards.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const { top } = first.getBoundingClientRect()
  const { bottom } = last.getBoundingClientRect()
  const isNear = bottom > -NEAR_PX && top < innerHeight + NEAR_PX
  return isNear || cards.some((card) => card.querySelector(IN_USE) !== null) ? undefined : bottom - top
}
