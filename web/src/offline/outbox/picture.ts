import type { Action } from './actions.ts'
import type { Event } from './machine.ts'
import type { Store } from './store.ts'

type Born = Extract<Event, { kind: 'born' }>

const DATA_URL = /^data:(?<type>[\w/+.-]+);base64,/u

/** Keeps a chosen picture as bytes, not as text. */
export function withPictures(store: Store): Store {
  return {
    ...store,
    apply: async (userId, event) => store.apply(userId, event.kind === 'born' ? withPicture(event) : event),
  }
}

function withPicture(event: Born): Born {
  const { action } = event.birth
  if (action.kind !== 'movie') return event
  const { image } = action.body
  const header = DATA_URL.exec(image)
  if (header === null) return event
  const bytes = Uint8Array.from(atob(image.slice(header[0].length)), (char) => char.charCodeAt(0))
  const picture = new Blob([bytes], { type: header.groups?.['type'] ?? '' })
  return { ...event, birth: { ...event.birth, action: { ...action, picture, body: { ...action.body, image: '' } } } }
}

/** The action as it is sent. */
export async function withText(action: Action): Promise<Action> {
  if (action.kind !== 'movie' || action.picture === undefined) return action
  const { picture, ...movie } = action
  return { ...movie, body: { ...movie.body, image: await dataUrlOf(picture) } }
}

async function dataUrlOf(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The picture cannot be read')))
    reader.readAsDataURL(picture)
  })
}
