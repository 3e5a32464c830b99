/** The limits of `docs/product/limits.md`. Lengths are in Unicode code points. */
export const CARDS_PAGE_SIZE = 10
export const COMMENTS_PAGE_SIZE = 10
export const MAX_PAGE_SIZE = 50
/** How many streaming services a user chooses. */
export const MAX_SERVICES = 50
export const EMBEDDED_COMMENTS = 3
/** The newest notifications that each user keeps. */
export const MAX_NOTIFICATIONS = 500

export const PASSWORD_MIN_LENGTH = 8
export const CODE_LENGTH = 6

export const MAX_IMAGE_BYTES = 5 * 1024 * 1024
/** Width times height of an image that the server decodes. */
export const MAX_IMAGE_PIXELS = 24_000_000
/** Widths in pixels in which uploaded images are stored. A narrower original is not enlarged. */
export const IMAGE_WIDTHS = [320, 640] as const
/** Sides in pixels of the squares in which avatars are stored: for standard and for high-density screens. */
export const AVATAR_SIZES = [200, 400] as const
export const IMAGE_URL_EXTENSIONS = ['jpeg', 'jpg', 'gif', 'png', 'webp'] as const

export const MAX_USERNAME_LENGTH = 128
export const MAX_WATCHLIST_NAME_LENGTH = 120
export const MAX_WATCHLIST_DESCRIPTION_LENGTH = 2_000
export const MAX_CARD_TITLE_LENGTH = 300
export const MAX_CARD_DESCRIPTION_LENGTH = 5_000
export const MAX_COMMENT_LENGTH = 5_000
export const MAX_VIEWING_NOTE_LENGTH = 300
export const MAX_URL_LENGTH = 2_048
export const MAX_CATALOGUE_QUERY_LENGTH = 200
export const MAX_LIBRARY_QUERY_LENGTH = 200
export const MAX_GENRE_LENGTH = 60
export const MAX_DIRECTOR_LENGTH = 120

export const MAX_CATALOGUE_RESULTS = 20
export const MAX_GENRES = 10
export const MAX_DIRECTORS = 20
/** The longest film, "Logistics", runs for 51,420 minutes. */
export const MAX_RUNTIME_MINUTES = 60_000
export const MOVIE_YEARS = { first: 1870, last: 2200 } as const

/** An imported file, and each file in an imported zip once it is unpacked. */
export const MAX_IMPORT_BYTES = 8 * 1024 * 1024
/** All files of an imported zip together, unpacked. */
export const MAX_UNZIPPED_BYTES = 3 * MAX_IMPORT_BYTES
export const MAX_IMPORT_ROWS = 10_000
export const MAX_IMPORT_FILE_NAME_LENGTH = 200
/** Rows that one call may choose by number. */
export const MAX_IMPORT_DECISIONS = 500
export const IMPORT_PAGE_SIZE = 50
/** A file from which a watchlist is restored. */
export const MAX_RESTORE_BYTES = 16 * 1024 * 1024
export const MAX_RESTORED_CARDS = 10_000
/** The status changes of one restored card, and the users who want it. */
export const MAX_RESTORED_ENTRIES = 1_000
/** Counted over all cards. A name of few bytes becomes a row with the facts of its movie. */
export const MAX_RESTORED_WANTS = 100_000
/** No restored time is earlier, and no month of a statistic. */
export const EARLIEST_TIME = '1970-01-01T00:00:00.000Z'
/** An import shows at most this many of its problems. */
export const MAX_SHOWN_PROBLEMS = 100
/** How long an import may be undone. Then the server forgets it. */
export const IMPORT_UNDO_DAYS = 30

/** A draw of more cards has no table, so it cannot be checked. */
export const MAX_CHECKABLE_CARDS = 2_000
/** A filter compares lengths in steps of so many minutes. */
export const DRAW_RUNTIME_STEP = 15
/** With a filter, a count is one of three bands: none, fewer than so many, or more. */
export const DRAW_BAND = 5
/** Of a filter as JSON in a query, in characters. */
export const MAX_DRAW_FILTER_LENGTH = 4_000
export const MAX_DRAW_PICKS = 7
export const MAX_DRAW_SEEDS = 200
/** How long devices have to open their seeds after the hashes of a draw are closed. */
export const SEED_OPENING_MS = 2_000
/** The devices of one person at a movie night that can add a seed to a draw. */
export const MAX_SEEDS_PER_PERSON = 5
/** A prepared draw that is not revealed after this time is abandoned. */
export const DRAW_PREPARED_MS = 60 * 60_000
/** A further draw replaces the oldest prepared one of a watchlist. */
export const MAX_PREPARED_DRAWS = 10
export const DRAWS_PAGE_SIZE = 20

export const MAX_WATCHLISTS_PER_USER = 200
/** Pending invitations count. */
export const MAX_MEMBERS_PER_WATCHLIST = 100

/** Proposed times of a movie night. */
export const MAX_NIGHT_TIMES = 3
export const MAX_NIGHT_PLACE_LENGTH = 300
export const MAX_NIGHT_NOTE_LENGTH = 2_000
export const MAX_PLANNED_NIGHTS = 20
/** The list of the movies of nights has the latest ones. */
export const MAX_NIGHT_FILMS = 20
/** From when on those who watched a movie in a night are asked to rate it: the next day. */
export const RATE_NIGHT_AFTER_HOURS = 12
/** The movies for whose ratings a member is asked at the same time. */
export const MAX_UNRATED_FILMS = 3
/** An open night ends by itself after this time; a planned one that was not started is no longer listed. */
export const NIGHT_LASTS_HOURS = 24
export const MAX_NICKNAME_LENGTH = 40
/** Guests who are at a night at the same time. */
export const MAX_NIGHT_GUESTS = 30
/** Guests who join with the code from one address, unless a member allows more. */
export const MAX_GUESTS_PER_ADDRESS = 8
/** Screens without an account that show a night at the same time. */
export const MAX_NIGHT_SCREENS = 5
/** A screen shows its code for this long, then another one. */
export const SCREEN_CODE_MINUTES = 10
/** Vetoes of a guest in a night. */
export const GUEST_VETO_BUDGET = 1
/** A guest sees the result of a night, and can claim what they did, for this long after its end. */
export const NIGHT_PASS_HOURS = 24
/** The totals of fewer ballots are never told. */
export const MIN_COUNTED_BALLOTS = 3
/** Vetoes of a member in a month. The owner sets them per watchlist. */
export const DEFAULT_VETO_BUDGET = 2
export const MAX_VETO_BUDGET = 10

export const INVITATION_VALID_DAYS = 7
/** A join link is valid for at most this long, and lets in at most this many. */
export const MAX_JOIN_LINK_DAYS = 30
export const MAX_JOIN_LINK_USES = 100
export const MAX_OPEN_JOIN_LINKS = 20
/** Pending invitations of mail addresses per watchlist, and mails that invite one address in a day. */
export const MAX_MAIL_INVITATIONS = 50
export const MAX_INVITATION_MAILS_PER_DAY = 5
export const MAX_EMAIL_LENGTH = 254
/** A user sees at most this many pending invitations, newest first. */
export const MAX_RECEIVED_INVITATIONS = 100

/** Webhooks of a watchlist. */
export const MAX_WEBHOOKS = 10
export const MAX_WEBHOOK_NAME_LENGTH = 60
export const MAX_WEBHOOK_URL_LENGTH = 2_048
/** Messages of a webhook that its owner sees. */
export const WEBHOOK_LOG_LENGTH = 50

/** Media servers of a watchlist. */
export const MAX_MEDIA_SERVERS = 4
export const MAX_MEDIA_KEY_LENGTH = 512
/** The name and password with which a user signs in to a media server. */
export const MAX_MEDIA_USER_LENGTH = 100
export const MAX_MEDIA_PASSWORD_LENGTH = 200
export const MAX_MEDIA_ATTEMPT_LENGTH = 2_048
/** What a media server reports: text, and with a picture around it. */
export const MAX_MEDIA_REPORT_BYTES = 256 * 1024
export const MAX_MEDIA_REPORT_WITH_PICTURE_BYTES = 2 * 1024 * 1024
/** Movies that a watchlist has asked for and that have not arrived. */
export const MAX_OPEN_REQUESTS = 200

/** Personal access tokens of a user, expired ones included. */
export const MAX_PERSONAL_TOKENS = 50
export const MAX_TOKEN_NAME_LENGTH = 60

/** Devices of a user that get push messages, and the newest messages that wait for one that cannot be reached. */
export const MAX_PUSH_DEVICES = 20
export const MAX_PUSH_WAITING = 20
export const MAX_PUSH_ENDPOINT_LENGTH = 2_048

/** How long a member may undo accepting or declining a card. */
export const UNDO_MS = 10_000
/** For how long the server remembers an `Idempotency-Key`. */
export const KEY_REMEMBERED_MS = 7 * 24 * 60 * 60_000
/** How much later the server still accepts an undo that was on its way. */
export const UNDO_GRACE_MS = 5_000

export const PROFILE_CACHE_MS = 5 * 60_000
export const IMAGE_SUCCESS_CLOSES_AFTER_MS = 2_000
export const INVITATION_REDIRECT_MS = 2_000
export const NOT_FOUND_REDIRECT_MS = 3_000

export const MOVIE_DESCRIPTION_ROWS = 8
export const WATCHLIST_DESCRIPTION_ROWS = 3
