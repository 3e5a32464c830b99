import { FILMS, type Film } from './films.ts'
import { pageTitle } from './wikidata.ts'

/** A page of a service about a film, in the format of the service, by host and path; undefined if there is none. */
export function answerPage(host: string, path: string): string | undefined {
  const find = (isIt: (film: Film) => boolean) => FILMS.find(isIt)
  if (host === 'letterboxd.com') {
    const film = find(({ ids }) => ids.letterboxd !== undefined && path === `/film/${ids.letterboxd}/`)
    return film && letterboxdPage(film)
  }
  if (host === 'www.imdb.com') {
    const film = find(({ ids }) => path === `/title/${ids.imdb ?? ''}/`)
    return film && imdbPage(film)
  }
  if (host === 'trakt.tv') {
    const film = find(({ title, year }) => path === `/movies/${slugOf(title)}-${year}`)
    return film && traktPage(film)
  }
  if (host === 'en.wikipedia.org') {
    const film = find((one) => path === `/wiki/${encodeURI((pageTitle(one, 'en') ?? '').replaceAll(' ', '_'))}`)
    return film && wikipediaPage(film)
  }
  return OTHER_PAGES[path]
}

function slugOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '-')
}

function letterboxdPage(film: Film): string {
  const data = {
    '@context': 'http://schema.org',
    '@type': 'Movie',
    name: film.title,
    image: 'https://a.ltrbxd.com/poster.jpg',
    director: film.directors.map((name) => ({ '@type': 'Person', name, sameAs: '/director/ridley-scott/' })),
    genre: film.genres,
    releasedEvent: [{ '@type': 'PublicationEvent', startDate: String(film.year) }],
    url: `https://letterboxd.com/film/${film.ids.letterboxd ?? ''}/`,
  }
  return `<!DOCTYPE html><html><head><title>${film.title} directed by ${film.directors.join(', ')}</title>
<meta property="og:type" content="video.movie"><meta property="og:title" content="${film.title} (${film.year})">
<meta property="og:description" content="${film.title} is a film.">
<script type="application/ld+json">
/* <![CDATA[ */
${JSON.stringify(data)}
/* ]]> */
</script></head>
<body data-type="film" data-tmdb-type="movie" data-tmdb-id="${film.ids.tmdb ?? ''}">
<a href="http://www.imdb.com/title/${film.ids.imdb ?? ''}/maindetails">IMDb</a></body></html>`
}

function imdbPage(film: Film): string {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Movie',
    url: `https://www.imdb.com/title/${film.ids.imdb ?? ''}/`,
    name: film.title.replaceAll("'", '&apos;'),
    description: `${film.title} is a film.`,
    datePublished: `${film.year}-05-25`,
    duration: `PT${Math.floor(film.minutes / 60)}H${film.minutes % 60}M`,
    genre: film.genres,
    director: film.directors.map((name) => ({ '@type': 'Person', name })),
  }
  return `<!DOCTYPE html><html><head><meta property="og:title" content="${film.title} (${film.year}) ⭐ 8.5 | Drama">
<script type="application/ld+json">${JSON.stringify(data)}</script></head><body></body></html>`
}

function traktPage(film: Film): string {
  return `<!DOCTYPE html><html><head><meta content="${film.title}" property="og:title"></head>
<body><a href="https://www.themoviedb.org/movie/${film.ids.tmdb ?? ''}">TMDB</a></body></html>`
}

function wikipediaPage(film: Film): string {
  const item = `http://www.wikidata.org/entity/${film.ids.wikidata ?? ''}`
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Article',
    name: film.title,
    sameAs: item,
    mainEntity: item,
  }
  return `<!DOCTYPE html><html><head><meta property="og:title" content="${film.title} - Wikipedia"></head>
<body><script type="application/ld+json">${JSON.stringify(data)}</script></body></html>`
}

const OTHER_PAGES: Readonly<Record<string, string>> = {
  '/cinema': `<html><head><script type="application/ld+json">{"@graph": [{"@type": "Organization", "name": "A cinema"},
    {"@type": ["CreativeWork", "Movie"], "name": "Stalker &amp; Co", "description": "<p>A zone.</p>", "duration": "PT163M",
     "director": "Andrei Tarkovsky", "genre": "Drama", "image": {"@type": "ImageObject", "url": "/poster.png"},
     "dateCreated": "1979-05-25", "inLanguage": "ru"}]}</script></head></html>`,
  '/preview': `<html><head><meta property="og:title" content="Stalker (1979)"><meta property="og:image" content="/poster.png">
    <meta property="og:description" content="A zone."></head></html>`,
  '/broken': `<html><head><script type="application/ld+json">{"@type": "Movie", "name": </script>
    <meta property="og:title" content="Stalker"></head><body><p>unclosed`,
  '/spaces': `<html><head><meta property="og:title" content="Stalker${' '.repeat(200_000)}."></head></html>`,
  '/deep': `<html><head><meta property="og:title" content="Stalker"></head><body>${'<b>'.repeat(1_000_000)}`,
  '/values': `<html><head><script type="application/ld+json">[{"@type": "Movie", "name": "Stalker"}${',0'.repeat(200_000)}]
    </script></head></html>`,
  '/long': `<html><body>${'x'.repeat(600_000)}<meta property="og:title" content="Stalker"></body></html>`,
  '/nothing': '<html><head><title>A page about something else</title></head></html>',
}
