import { expect, test } from 'vitest'

import { html } from './html.ts'

test('text that is put into HTML stays text', () => {
  expect(html`<p title="${'"'}">${`<script>'&'</script>`}</p>`.text).toBe(
    '<p title="&quot;">&lt;script&gt;&#39;&amp;&#39;&lt;/script&gt;</p>',
  )
})

test('HTML in HTML stays HTML, lists are joined, and nothing stays nothing', () => {
  const items = ['a', '<b>'].map((item) => html`<i>${item}</i>`)

  expect(html`<b>${items}</b>${undefined}${7}`.text).toBe('<b><i>a</i><i>&lt;b&gt;</i></b>7')
})
