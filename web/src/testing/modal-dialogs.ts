/** jsdom cannot show a modal dialog, which keeps the focus inside and makes the rest of the page inert. */
export function showModalDialogs(): void {
  const dialog = HTMLDialogElement.prototype as Partial<HTMLDialogElement>
  const focusedBefore = new WeakMap<HTMLDialogElement, Element | null>()

  const setRestHidden = (shown: HTMLDialogElement, isHidden: boolean) => {
    for (const element of document.body.children) {
      if (element === shown) continue
      if (isHidden) element.setAttribute('aria-hidden', 'true')
      else element.removeAttribute('aria-hidden')
    }
  }

  dialog.showModal ??= function showModal(this: HTMLDialogElement) {
    focusedBefore.set(this, document.activeElement)
    this.open = true
    setRestHidden(this, true)
    this.querySelector<HTMLElement>('button, input, textarea')?.focus()
  }
  dialog.close ??= function close(this: HTMLDialogElement) {
    this.open = false
    setRestHidden(this, false)
    const before = focusedBefore.get(this)
    if (before instanceof HTMLElement) before.focus()
  }
}
