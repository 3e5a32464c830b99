import type { Comment } from '@marquee/contract/entities/comment'
import type { CardViewings } from '@marquee/contract/entities/viewing'
import { useQueryClient } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, expect, test } from 'vitest'

import { SessionContext } from '#web/session/use-session.ts'
import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { aSession } from '#web/testing/open-app.tsx'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard, aComment } from '#web/testing/samples.ts'
import { WITHIN } from '#web/testing/within.ts'
import { LiveRegion } from '#web/ui/live-region.tsx'

import { CommentArea } from './comment-area.tsx'
import { CommentItem } from './comment-item.tsx'
import { seedComments } from '../comment-queries.ts'
import { CommentForm } from './lazy-comment-form.tsx'

tidyUp()
// The form is there when it is asked for, as after a look at its button.
beforeAll(CommentForm.preload)
afterEach(() => sessionStorage.clear())

/** The numbers of comments from one to another, newest first. */
const newestFirst = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => aComment(from - index))

type AreaOptions = { lastComments?: Comment[]; username?: string; isMember?: boolean; isWatched?: boolean }

/** The comments on a card that has arrived with these last comments. */
function Area({ lastComments = [], username = 'Ben', isMember = true, isWatched = false }: AreaOptions) {
  const client = useQueryClient()
  const [card] = useState(() => {
    const arrived = aCard('c1', isWatched ? 'WATCHED' : 'REVEALED', { lastComments })
    seedComments(client, arrived)
    return arrived
  })
  return <CommentArea card={card} username={username} isMember={isMember} />
}

/** The card as the server has it, with these last comments. */
const cardWith = (...lastComments: Comment[]) => aCard('c1', 'REVEALED', { lastComments })

/** The texts of the comments. The first line of each is author and time. */
const texts = () => screen.queryAllByRole('listitem').map((item) => item.querySelectorAll('p')[1]?.textContent)
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Your comment' })

function aGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

test('the last comments are shown oldest first', async () => {
  await renderPart(<Area lastComments={newestFirst(2, 1)} />)

  expect(texts()).toEqual(['Comment 1', 'Comment 2'])
})

test.each([
  [2, 0],
  [3, 1],
])('a card with %i last comments has %i buttons for previous ones', async (count, buttons) => {
  await renderPart(<Area lastComments={newestFirst(count, 1)} />)

  expect(screen.queryAllByRole('button', { name: 'Load previous comments' })).toHaveLength(buttons)
})

test('previous comments are loaded in pages of ten, above the last ones, until there are no more', async () => {
  const api = fakeApi({
    listComments: ({ query }) =>
      query.get('nextToken') === null
        ? { comments: newestFirst(14, 5), nextToken: 'more' }
        : { comments: newestFirst(4, 1), nextToken: null },
  })
  await renderPart(<Area lastComments={newestFirst(14, 12)} />)

  await userEvent.click(button('Load previous comments'))
  await waitFor(() => expect(texts()).toHaveLength(10))
  await userEvent.click(button('Load previous comments'))
  await waitFor(() => expect(texts()).toHaveLength(14))

  expect(texts()).toEqual(Array.from({ length: 14 }, (_, index) => `Comment ${index + 1}`))
  expect(screen.queryByRole('button', { name: 'Load previous comments' })).toBeNull()
  expect(api.callsOf('listComments').map(({ request }) => [...request.query])).toEqual([
    [['limit', '10']],
    [
      ['limit', '10'],
      ['nextToken', 'more'],
    ],
  ])
})

/** Ben's second page of previous comments is on its way. `arrive` is a change meanwhile, and `open` lets the page through. */
async function loadSecondPage() {
  const { opened, open } = aGate()
  const server = { newest: 14 }
  const api = fakeApi({
    addComment: ({ body }) => aComment((server.newest += 1), 'Ben', body as Partial<Comment>),
    listComments: async ({ query }) => {
      const { newest } = server
      if (query.get('nextToken') === null) return { comments: newestFirst(newest, newest - 9), nextToken: 'more' }
      await opened
      return { comments: newestFirst(newest - 10, 1), nextToken: null }
    },
  })
  const { client } = await renderPart(
    <>
      <LiveRegion />
      <Area lastComments={newestFirst(14, 12)} />
    </>,
  )
  await userEvent.click(button('Load previous comments'))
  await waitFor(() => expect(texts()).toHaveLength(10), WITHIN)
  await userEvent.click(button('Load previous comments'))
  await waitFor(() => expect(api.callsOf('listComments')).toHaveLength(2), WITHIN)
  return { api, server, client, open }
}

test('loading previous comments continues when another member comments', async () => {
  const { api, server, client, open } = await loadSecondPage()

  server.newest = 15
  act(() => seedComments(client, cardWith(...newestFirst(15, 13))))
  await waitFor(() => expect(api.callsOf('listComments').length).toBeGreaterThan(2), WITHIN)
  open()

  await waitFor(() => expect(texts()).toHaveLength(15), WITHIN)
  expect(screen.getByText('4 previous comments are shown')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Load previous comments' })).toBeNull()
})

test('loading previous comments continues when the user comments', async () => {
  const { api, open } = await loadSecondPage()

  await userEvent.click(button('Comment'))
  await userEvent.type(field(), 'Mine')
  await userEvent.click(button('Add comment'))
  await waitFor(() => expect(api.callsOf('addComment')).toHaveLength(1), WITHIN)
  await waitFor(() => expect(api.callsOf('listComments').length).toBeGreaterThan(2), WITHIN)
  open()

  await waitFor(() => expect(texts()).toHaveLength(15), WITHIN)
  expect(screen.getByText('4 previous comments are shown')).toBeDefined()
})

test('a failure to load previous comments is shown and can be retried', async () => {
  let isBroken = true
  fakeApi({
    listComments: () =>
      isBroken ? new Refusal(403, 'UNAUTHORIZED', 'no') : { comments: newestFirst(4, 1), nextToken: null },
  })
  await renderPart(<Area lastComments={newestFirst(4, 2)} />)

  await userEvent.click(button('Load previous comments'))
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load comments')
  isBroken = false
  await userEvent.click(button('Load previous comments'))

  await waitFor(() => expect(texts()).toHaveLength(4))
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a new comment is trimmed and shown at once, and the field is cleared', async () => {
  const gate = aGate()
  const api = fakeApi({
    addComment: async ({ body }) => {
      await gate.opened
      return aComment(4, 'Ben', body as Partial<Comment>)
    },
  })
  await renderPart(<Area lastComments={newestFirst(3, 1)} />)

  await userEvent.click(button('Comment'))
  await waitFor(() => expect(document.activeElement).toBe(field()))
  await userEvent.type(field(), '  See it!  ')
  await userEvent.click(button('Add comment'))

  await waitFor(() => expect(texts()).toEqual(['Comment 2', 'Comment 3', 'See it!']))
  expect([field().value, button('Add comment').disabled]).toEqual(['', true])
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()

  gate.open()
  expect(await screen.findByRole('button', { name: 'Edit' })).toBeTruthy()
  expect(texts()).toEqual(['Comment 2', 'Comment 3', 'See it!'])
  expect(api.callsOf('addComment')[0]?.request.body).toEqual({ content: 'See it!' })
})

test.each(['{Control>}{Enter}{/Control}', '{Meta>}{Enter}{/Meta}'])(
  'the keys %s send a comment, but not an empty one',
  async (keys) => {
    const api = fakeApi({ addComment: ({ body }) => aComment(1, 'Ben', body as Partial<Comment>) })
    await renderPart(<Area />)
    await userEvent.click(button('Comment'))

    await userEvent.type(field(), `   ${keys}`)
    expect(button('Add comment').disabled).toBe(true)
    await userEvent.type(field(), `Yes${keys}`)

    await waitFor(() => expect(texts()).toEqual(['Yes']))
    expect(api.calls).toHaveLength(1)
  },
)

test('a rejected comment disappears, and its text returns to the field with the reason', async () => {
  const gate = aGate()
  fakeApi({
    addComment: async () => {
      await gate.opened
      return new Refusal(400, 'BAD_REQUEST', 'The card is back in the box')
    },
    getCard: () => cardWith(aComment(1)),
  })
  await renderPart(<Area lastComments={newestFirst(1, 1)} />)
  await userEvent.click(button('Comment'))
  await userEvent.type(field(), 'See it!')
  await userEvent.click(button('Add comment'))
  await waitFor(() => expect(texts()).toEqual(['Comment 1', 'See it!']))

  gate.open()

  expect((await screen.findByRole('alert')).textContent).toBe('Failed to add the commentThe card is back in the box')
  expect([texts(), field().value]).toEqual([['Comment 1'], 'See it!'])
})

test('a comment that failed without a network is retried with the same idempotency key', async () => {
  let isOffline = true
  const keys: (string | undefined)[] = []
  fakeApi({
    addComment: ({ headers, body }) => {
      keys.push(headers['idempotency-key'])
      if (isOffline) throw new TypeError('Failed to fetch')
      return aComment(1, 'Ben', body as Partial<Comment>)
    },
  })
  await renderPart(<Area />)
  await userEvent.click(button('Comment'))
  await userEvent.type(field(), 'See it!')
  await userEvent.click(button('Add comment'))
  await screen.findByText('Failed to add the comment', undefined, { timeout: 20_000 })

  isOffline = false
  await userEvent.click(button('Add comment'))

  await waitFor(() => expect(texts()).toEqual(['See it!']))
  expect(new Set(keys).size).toBe(1)
  expect(keys.length).toBeGreaterThan(1)
})

/** The comments of a card that the user leaves and comes back to with a button. */
function LeftArea() {
  const [isLeft, setLeft] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setLeft(!isLeft)}>
        {'Leave or return'}
      </button>
      {!isLeft && <Area />}
    </>
  )
}

test('the form is empty for a user who leaves and returns while a comment is being sent', async () => {
  const gate = aGate()
  const api = fakeApi({
    addComment: async ({ body }) => {
      await gate.opened
      return aComment(1, 'Ben', body as Partial<Comment>)
    },
  })
  const session = aSession({ userId: 'ben', username: 'Ben', loginId: 'ben' })
  await session.refresh()
  await renderPart(
    <SessionContext value={session}>
      <LeftArea />
    </SessionContext>,
  )
  await userEvent.click(button('Comment'))
  await userEvent.type(field(), 'See it! ')
  await userEvent.click(button('Add comment'))
  await waitFor(() => expect(api.callsOf('addComment')).toHaveLength(1))

  await userEvent.click(button('Leave or return'))
  await userEvent.click(button('Leave or return'))
  expect([texts(), screen.queryByRole('textbox')]).toEqual([['See it!'], null])
  await userEvent.click(button('Comment'))
  expect(field().value).toBe('')

  gate.open()
  await screen.findByRole('button', { name: 'Edit' })
  expect(texts()).toEqual(['See it!'])
})

test('cancelling closes the form and returns the focus to the button', async () => {
  await renderPart(<Area />)
  await userEvent.click(button('Comment'))
  await userEvent.type(field(), 'Hm')

  await userEvent.click(button('Cancel'))

  await waitFor(() => expect(document.activeElement).toBe(button('Comment')))
  await userEvent.click(button('Comment'))
  expect(field().value).toBe('')
})

test('only the author can edit and delete a comment, in any letter case of the username', async () => {
  await renderPart(<Area lastComments={[aComment(2, 'ben'), aComment(1, 'Ana')]} username="Ben" />)

  const [anas, bens] = screen.getAllByRole('listitem').map((item) => within(item).queryAllByRole('button'))
  expect([anas?.length, bens?.map(({ textContent }) => textContent)]).toEqual([0, ['Edit', 'Delete']])
})

test('a non-member can only read comments', async () => {
  await renderPart(<Area lastComments={newestFirst(3, 1)} username="Ana" isMember={false} />)

  expect(texts()).toHaveLength(3)
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Load previous comments'])
})

test('an edit is shown at once, and a rejected edit opens the form again', async () => {
  const gate = aGate()
  fakeApi({
    editComment: async () => {
      await gate.opened
      return new Refusal(403, 'UNAUTHORIZED', 'no')
    },
    getCard: () => cardWith(aComment(1, 'Ben')),
  })
  await renderPart(<Area lastComments={[aComment(1, 'Ben')]} />)

  await userEvent.click(button('Edit'))
  const edit = screen.getByRole('textbox', { name: 'Edit your comment' })
  await userEvent.clear(edit)
  await userEvent.type(edit, 'Better')
  await userEvent.click(button('Save'))
  await waitFor(() => expect(texts()[0]).toBe('Better'))
  expect(screen.getByText(/^Edited /u)).toBeTruthy()

  gate.open()
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to edit the comment')
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Edit your comment' }).value).toBe('Better')
  await userEvent.click(button('Cancel'))
  expect([texts(), screen.queryByText(/^Edited /u)]).toEqual([['Comment 1'], null])
})

test('deleting a comment asks first, and an older comment takes its place', async () => {
  const api = fakeApi({
    deleteComment: () => undefined,
    getCard: () => cardWith(aComment(3), aComment(2), aComment(1)),
  })
  await renderPart(<Area lastComments={[aComment(4, 'Ben'), aComment(3), aComment(2)]} />)

  await userEvent.click(button('Delete'))
  expect(screen.getByRole('group', { name: 'Delete this comment?' })).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(button('No')))
  await userEvent.keyboard('{Escape}')
  expect([texts().length, api.calls.length]).toEqual([3, 0])

  await userEvent.click(button('Delete'))
  await userEvent.click(button('Yes'))

  await waitFor(() => expect(texts()).toEqual(['Comment 1', 'Comment 2', 'Comment 3']))
})

test('a comment that cannot be deleted reappears with the reason', async () => {
  const gate = aGate()
  fakeApi({
    deleteComment: async () => {
      await gate.opened
      return new Refusal(400, 'BAD_REQUEST', 'Not now')
    },
    getCard: () => cardWith(aComment(3), aComment(2, 'Ben'), aComment(1)),
  })
  await renderPart(<Area lastComments={[aComment(3), aComment(2, 'Ben'), aComment(1)]} />)
  await userEvent.click(button('Delete'))
  await userEvent.click(button('Yes'))
  await waitFor(() => expect(texts()).toEqual(['Comment 1', 'Comment 3']))

  gate.open()

  expect((await screen.findByRole('alert')).textContent).toBe('Failed to delete the commentNot now')
  expect(texts()).toEqual(['Comment 1', 'Comment 2', 'Comment 3'])
})

test('a comment whose deletion fails at once no longer shows the confirmation', async () => {
  await renderPart(
    <CommentItem comment={aComment(1, 'Ben')} actions={{ onEdit: async () => true, onDelete: () => {} }} />,
  )

  await userEvent.click(button('Delete'))
  await userEvent.click(button('Yes'))

  expect(screen.queryByRole('group', { name: 'Delete this comment?' })).toBeNull()
  expect(button('Delete')).toBeTruthy()
})

test('a reloaded card replaces the last comments and keeps the previous ones', async () => {
  fakeApi({ listComments: () => ({ comments: newestFirst(5, 1), nextToken: null }) })
  const { client } = await renderPart(<Area lastComments={newestFirst(5, 3)} />)
  const arrive = (...lastComments: Comment[]) => act(() => seedComments(client, cardWith(...lastComments)))

  arrive(aComment(6), aComment(5), aComment(4))
  expect(texts()).toEqual(['Comment 3', 'Comment 4', 'Comment 5'])
  await userEvent.click(await screen.findByRole('button', { name: '1 new comment' }))
  expect(texts()).toEqual(['Comment 4', 'Comment 5', 'Comment 6'])
  await userEvent.click(button('Load previous comments'))
  await waitFor(() => expect(texts()).toHaveLength(5))
  arrive(aComment(7), aComment(6), aComment(4, 'Ana', { content: 'Edited since' }))
  await waitFor(() => expect(texts()).toEqual(['Comment 1', 'Comment 2', 'Comment 3', 'Edited since']))
  await userEvent.click(button('2 new comments'))

  await waitFor(() =>
    expect(texts()).toEqual(['Comment 1', 'Comment 2', 'Comment 3', 'Edited since', 'Comment 6', 'Comment 7']),
  )
})

// Evidence: wcag-2.2.2
test('new comments by others wait until the user opens them, and then get the focus', async () => {
  const { client } = await renderPart(<Area lastComments={[]} />)

  act(() => seedComments(client, cardWith(aComment(2), aComment(1))))

  expect(texts()).toEqual([])
  await userEvent.click(await screen.findByRole('button', { name: '2 new comments' }))
  expect(texts()).toEqual(['Comment 1', 'Comment 2'])
  expect(screen.queryByRole('button', { name: /new comment/u })).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: /^Comments on/u })))
})

test('new comments by others appear at once while the user writes', async () => {
  const { client } = await renderPart(<Area lastComments={[]} />)
  await userEvent.click(button('Comment'))

  act(() => seedComments(client, cardWith(aComment(1))))

  await waitFor(() => expect(texts()).toEqual(['Comment 1']))
})

test('a waiting comment that is deleted is no longer counted', async () => {
  const { client } = await renderPart(<Area lastComments={[aComment(1)]} />)
  act(() => seedComments(client, cardWith(aComment(2), aComment(1))))
  await screen.findByRole('button', { name: '1 new comment' })

  act(() => seedComments(client, cardWith(aComment(1))))

  await waitFor(() => expect(screen.queryByRole('button', { name: '1 new comment' })).toBeNull())
  expect(texts()).toEqual(['Comment 1'])
})

/** Before the movie was watched. Other comments are later. */
const anEarlyComment = aComment(0, 'Ana', { createdAt: '2026-03-02T20:00:00.000Z' })
const seenBy = (...names: string[]): CardViewings => ({
  cardId: 'c1',
  seenBy: names,
  own: null,
  ratings: null,
  night: null,
  markedBy: null,
})

test('comments on a watched movie are folded for a member who has not seen it, but can be opened', async () => {
  fakeApi({ listViewings: () => ({ cards: [seenBy('Ana')] }) })
  const lastComments = [aComment(2), aComment(1, 'Ben'), anEarlyComment]
  const { client } = await renderPart(<Area lastComments={lastComments} isWatched />)
  await screen.findByText('1 comment about a movie you have not seen')
  expect(texts()).toEqual(['Comment 0', 'Comment 1'])

  act(() => seedComments(client, cardWith(aComment(3), ...lastComments.slice(0, 2))))
  await userEvent.click(await screen.findByRole('button', { name: '1 new comment' }))
  await screen.findByText('2 comments about a movie you have not seen')
  expect(texts()).toEqual(['Comment 1'])

  await userEvent.click(button('Read anyway'))
  expect(texts()).toEqual(['Comment 1', 'Comment 2', 'Comment 3'])
})

test('comments on a watched movie are shown once the member has seen it', async () => {
  const api = fakeApi({
    listViewings: () => ({ cards: [seenBy('Ana')] }),
    saveViewing: () => ({
      ...seenBy('Ana', 'Ben'),
      own: { username: 'Ben', seenOn: null, stars: null, note: null, changedAt: '2026-03-03T20:00:00.000Z' },
    }),
  })
  await renderPart(<Area lastComments={[aComment(3), aComment(2), aComment(1)]} isWatched />)
  await screen.findByText('3 or more comments about a movie you have not seen')
  expect(texts()).toEqual([])

  await userEvent.click(button('I have seen it'))

  await waitFor(() => expect(texts()).toEqual(['Comment 1', 'Comment 2', 'Comment 3']))
  expect(api.callsOf('saveViewing')[0]?.request.body).toEqual({ note: null })
})

test('comments on a watched movie are shown to non-members, and to all if no member has marked it as seen', async () => {
  fakeApi({ listViewings: () => ({ cards: [seenBy()] }) })
  const member = await renderPart(<Area lastComments={[aComment(1)]} isWatched />)
  await waitFor(() => expect(texts()).toEqual(['Comment 1']))
  member.unmount()

  await renderPart(<Area lastComments={[aComment(2)]} isWatched isMember={false} />)
  expect(texts()).toEqual(['Comment 2'])
})
