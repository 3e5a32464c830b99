/** A part that knows a better place moves the focus at once. */
const WAIT_MS = 200

const PLACES = '[tabindex="-1"], dialog, section, main'

const isShown = (element: Element): boolean => element.getClientRects().length > 0

/**
 * Moves a lost focus to the closest part of the page around the place where it was. A browser drops the focus when its element
 * is removed, hidden or disabled, and a screen reader then begins at the top of the page. Call once.
 */
export function keepFocus(): void {
  /** What had the focus last, and what was around it then. */
  let path: Element[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  /** A busy button takes the focus back itself once it is done. */
  const isLost = (): boolean => {
    const [last] = path
    if (last === undefined || document.activeElement !== document.body) return false
    return !isShown(last) || (last.matches(':disabled') && last.getAttribute('aria-busy') !== 'true')
  }
  const check = (wasLost: boolean): void => {
    timer = undefined
    if (!isLost()) return
    if (!wasLost) {
      timer = setTimeout(check, WAIT_MS, true)
      return
    }
    const place = path.slice(1).find((one): one is HTMLElement => one.matches(PLACES) && isShown(one))
    if (place === undefined) return
    if (!place.hasAttribute('tabindex')) place.tabIndex = -1
    place.focus({ preventScroll: true })
  }
  const soon = (): void => {
    timer ??= setTimeout(check, WAIT_MS, false)
  }

  document.addEventListener('focusin', ({ target }) => {
    path = withAncestors(target as Element)
  })
  // A press beside it says that the user has left it.
  const leave = ({ target }: PointerEvent) => {
    if (path[0]?.contains(target as Node) !== true) path = []
  }
  document.addEventListener('pointerdown', leave, { capture: true })
  new MutationObserver(soon).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled', 'hidden', 'open'],
  })
}

function withAncestors(element: Element): Element[] {
  const path = [element]
  for (let one = element.parentElement; one !== null; one = one.parentElement) path.push(one)
  return path
}
