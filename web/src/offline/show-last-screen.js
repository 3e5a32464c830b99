/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return
   -- a file of its own without a build step, so that it runs before the app */

// Shows what last-screen.ts has kept, until the app shows the screen itself (src/ui/last-screen.tsx). It is not a part of the app:
// nothing in it can be pressed or focused, and screen readers hear from the app that it loads.
;(() => {
  const SVG = 'http://www.w3.org/2000/svg'

  /** Each element is `[tag, attributes, ...children]`. A text is a text. */
  function build([tag, attributes, ...children], namespace) {
    const own = tag === 'svg' ? SVG : namespace
    const element = own === undefined ? document.createElement(tag) : document.createElementNS(own, tag)
    for (const [name, value] of Object.entries(attributes)) {
      // The Content-Security-Policy forbids the attribute.
      if (name === 'style') element.style.cssText = value
      else element.setAttribute(name, value)
    }
    element.append(...children.map((child) => (typeof child === 'string' ? child : build(child, own))))
    return element
  }

  function show(root) {
    const { styles, unchanged, tree } = JSON.parse(localStorage.getItem('marquee.last-screen'))
    // Another user, language or setting, another build with other styles, or an app that already shows a screen.
    if (!unchanged.every(([key, value]) => localStorage.getItem(key) === value)) return
    if (document.querySelector(`link[href="${styles}"]`) === null || root.querySelector('main') !== null) return
    root.before(build(tree))
  }

  function showOnce() {
    const root = document.querySelector('#root')
    if (root !== null) show(root)
    return root !== null
  }

  if (showOnce()) return
  new MutationObserver((_changes, observer) => {
    if (document.querySelector('#root') === null) return
    observer.disconnect()
    showOnce()
  }).observe(document, { childList: true, subtree: true })
})()
