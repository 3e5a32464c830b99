import type { LibraryFilm } from './library.ts'
import type { MediaStandIn } from './stand-in.ts'

type What = {
  readonly userId: string
  readonly film: LibraryFilm
  readonly isComplete?: boolean
  readonly minutes?: number
}

const dashed = (id: string) => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5')

/** What the webhook plugin of Jellyfin sends to a generic destination, with all properties. */
export function jellyfinReport(
  { state: { machineId } }: MediaStandIn,
  { userId, film, isComplete = true, minutes = 117 }: What,
) {
  return {
    ServerId: machineId,
    ServerName: 'Home',
    ServerVersion: '10.10.7',
    ServerUrl: 'http://192.168.1.20:8096',
    NotificationType: 'PlaybackStop',
    Timestamp: '2026-11-24T22:41:07.1234567+01:00',
    Name: film.title,
    Overview: 'A crew of seven.',
    ItemId: dashed('f27caa37e5142225cceded48f6553502'),
    ItemType: 'Movie',
    RunTimeTicks: minutes * 600_000_000,
    RunTime: '01:57:00',
    Year: film.year,
    ...(film.tmdb !== undefined && { Provider_tmdb: film.tmdb }),
    ...(film.imdb !== undefined && { Provider_imdb: film.imdb }),
    PlaybackPositionTicks: 69_990_000_000,
    DeviceName: 'Television',
    ClientName: 'Jellyfin Android TV',
    PlayedToCompletion: isComplete,
    Username: 'Lea',
    UserId: dashed(userId),
  }
}

/** What Emby sends as `application/json`. */
function embyReport({ state: { machineId } }: MediaStandIn, { userId, film, isComplete = true, minutes = 117 }: What) {
  return {
    Title: `Lea has finished playing ${film.title} on Television`,
    Date: '2026-11-24T21:41:07.0000000Z',
    Event: 'playback.stop',
    Severity: 'Info',
    User: { Name: 'Lea', Id: userId },
    Item: {
      Name: film.title,
      ServerId: machineId,
      Id: '1000',
      ProductionYear: film.year,
      RunTimeTicks: minutes * 600_000_000,
      Type: 'Movie',
      MediaType: 'Video',
      ProviderIds: { Tmdb: film.tmdb, Imdb: film.imdb },
    },
    Server: { Name: 'Home', Id: machineId, Version: '4.8.11.0' },
    PlaybackInfo: { PlayedToCompletion: isComplete, PositionTicks: 69_990_000_000, PlaylistIndex: 0 },
  }
}

/** What Plex sends in the part `payload` of its form. */
export function plexReport(
  { state: { machineId } }: MediaStandIn,
  { userId, film, isComplete = true, minutes = 117 }: What,
) {
  return {
    event: isComplete ? 'media.scrobble' : 'media.stop',
    user: true,
    owner: true,
    Account: { id: Number(userId), thumb: 'https://plex.tv/users/1/avatar', title: 'Lea' },
    Server: { title: 'Home', uuid: machineId },
    Player: { local: true, publicAddress: '203.0.113.7', title: 'Television', uuid: 'a-player' },
    Metadata: {
      librarySectionType: 'movie',
      ratingKey: '2000',
      key: '/library/metadata/2000',
      guid: 'plex://movie/5d776825880197001ec90a1b',
      type: 'movie',
      title: film.title,
      year: film.year,
      duration: minutes * 60_000,
      Guid: [
        ...(film.imdb === undefined ? [] : [{ id: `imdb://${film.imdb}` }]),
        ...(film.tmdb === undefined ? [] : [{ id: `tmdb://${film.tmdb}` }]),
      ],
    },
  }
}

/** A report as its server sends it: the body, and its type. */
export function sentBy(standIn: MediaStandIn, what: What): [body: string, contentType: string] {
  if (standIn.kind === 'plex') return aForm(plexReport(standIn, what))
  // The plugin of Jellyfin says that its JSON is text.
  if (standIn.kind === 'jellyfin') return [JSON.stringify(jellyfinReport(standIn, what)), 'text/plain; charset=utf-8']
  return [JSON.stringify(embyReport(standIn, what)), 'application/json']
}

/** A form with a report, and a picture before or after it. */
export function aForm(
  report: object,
  { picture = 'ÿØÿà a small picture', isFirst = false } = {},
): [body: string, contentType: string] {
  const boundary = '----------------------------5d2f0f6c4a1b'
  const part = (head: string, content: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
  const text = part('name="payload"\r\nContent-Type: application/json', JSON.stringify(report))
  const image = part('name="thumb"; filename="thumb.jpg"\r\nContent-Type: image/jpeg', picture)
  return [`${isFirst ? image + text : text + image}--${boundary}--\r\n`, `multipart/form-data; boundary=${boundary}`]
}
