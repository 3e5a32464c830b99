import { expect, test } from 'vitest'

import { html } from './html.ts'

// Evidence: asvs-1.2.1, asvs-3.2.2
test('text in a template is escaped', () => {
  expect(html`<p title="${'"'}">${`<script>'&'</script>`}</p>`.text).toBe(
    '<p title="&quot;">&lt;script&gt;&#39;&amp;&#39;&lt;/script&gt;</p>',
  )
})

test('HTML in a template is not escaped, lists are joined, and undefined is empty', () => {
  const items = ['a', '<b>'].map((item) => html`<i>${item}</i>`)

  expect(html`<b>${items}</b>${undefined}${7}`.text).toBe('<b><i>a</i><i>&lt;b&gt;</i></b>7')
})
