import type { Migrations } from '@marquee/platform/database/migrate'

import { watchlists } from './0001-watchlists.ts'
import { cards } from './0002-cards.ts'
import { comments } from './0003-comments.ts'
import { invitations } from './0004-invitations.ts'
import { imageHolds } from './0005-image-holds.ts'
import { suggestions } from './0006-suggestions.ts'
import { installation } from './0007-installation.ts'
import { invitationMails } from './0008-invitation-mails.ts'
import { posters } from './0009-posters.ts'
import { cardMovies } from './0010-card-movies.ts'
import { cardMatches } from './0011-card-matches.ts'
import { library } from './0012-library.ts'
import { imports } from './0013-imports.ts'
import { cardWants } from './0014-card-wants.ts'
import { viewings } from './0015-viewings.ts'
import { importMarks } from './0016-import-marks.ts'
import { draws } from './0017-draws.ts'
import { nights } from './0019-nights.ts'
import { nightFeeds } from './0020-night-feeds.ts'
import { nightVotes } from './0021-night-votes.ts'
import { statistics } from './0023-statistics.ts'
import { joinLinks } from './0024-join-links.ts'
import { ratedViewings } from './0027-rated-viewings.ts'
import { nightPasses } from './0028-night-passes.ts'
import { screenPairings } from './0029-screen-pairings.ts'
import { drawSeeds } from './0030-draw-seeds.ts'
import { nightFilms } from './0031-night-films.ts'
import { ratingReminders } from './0032-rating-reminders.ts'
import { cardWords } from './0033-card-words.ts'
import { personalTokens } from './0034-personal-tokens.ts'
import { webhooks } from './0035-webhooks.ts'
import { notifications } from './0036-notifications.ts'
import { drawShares } from './0037-draw-shares.ts'
import { languages } from './0038-languages.ts'
import { webhookCreators } from './0039-webhook-creators.ts'
import { notificationSettings } from './0041-notification-settings.ts'
import { notificationMails } from './0042-notification-mails.ts'
import { push } from './0043-push.ts'
import { mailInvitations } from './0045-mail-invitations.ts'
import { nightVetoes } from './0047-night-vetoes.ts'
import { wordsOfTheFeed } from './0060-words-of-the-feed.ts'
import { wordsOfTheBox } from './0061-words-of-the-box.ts'
import { secretVotesAndSeedHashes } from './0062-secret-votes-and-seed-hashes.ts'
import { removals } from './0064-removals.ts'
import { guestDevices } from './0066-guest-devices.ts'
import { joinReservations } from './0067-join-reservations.ts'
import { refusedMails } from './0070-refused-mails.ts'
import { cardsByKey } from './0074-cards-by-key.ts'
import { rowsLeftOfImports } from './0075-rows-left-of-imports.ts'
import { countries } from './0076-countries.ts'
import { availability } from './0077-availability.ts'
import { mediaServers } from './0078-media-servers.ts'
import { mediaLinks } from './0079-media-links.ts'
import { boxOffers } from './0081-box-offers.ts'
import { tracesOfEndedNights } from './0082-traces-of-ended-nights.ts'
import { appliedImportsAndPlainAddresses } from './0083-applied-imports-and-plain-addresses.ts'
import { ratedMarks } from './0084-rated-marks.ts'
import { nightMails } from './0085-night-mails.ts'
import { movieRequests } from './0080-movie-requests.ts'

/** The product's tables. Keys begin with the watchlist or the user, so that tables can be distributed by them. */
export const productMigrations: Migrations = {
  '0001_watchlists': watchlists,
  '0002_cards': cards,
  '0003_comments': comments,
  '0004_invitations': invitations,
  '0005_image_holds': imageHolds,
  '0006_suggestions': suggestions,
  '0007_installation': installation,
  '0008_invitation_mails': invitationMails,
  '0009_posters': posters,
  '0010_card_movies': cardMovies,
  '0011_card_matches': cardMatches,
  '0012_library': library,
  '0013_imports': imports,
  '0014_card_wants': cardWants,
  '0015_viewings': viewings,
  '0016_import_marks': importMarks,
  '0017_draws': draws,
  '0019_nights': nights,
  '0020_night_feeds': nightFeeds,
  '0021_night_votes': nightVotes,
  '0023_statistics': statistics,
  '0024_join_links': joinLinks,
  '0027_rated_viewings': ratedViewings,
  '0028_night_passes': nightPasses,
  '0029_screen_pairings': screenPairings,
  '0030_draw_seeds': drawSeeds,
  '0031_night_films': nightFilms,
  '0032_rating_reminders': ratingReminders,
  '0033_card_words': cardWords,
  '0034_personal_tokens': personalTokens,
  '0035_webhooks': webhooks,
  '0036_notifications': notifications,
  '0037_draw_shares': drawShares,
  '0038_languages': languages,
  '0039_webhook_creators': webhookCreators,
  '0041_notification_settings': notificationSettings,
  '0042_notification_mails': notificationMails,
  '0043_push': push,
  '0045_mail_invitations': mailInvitations,
  '0047_night_vetoes': nightVetoes,
  '0060_words_of_the_feed': wordsOfTheFeed,
  '0061_words_of_the_box': wordsOfTheBox,
  '0062_secret_votes_and_seed_hashes': secretVotesAndSeedHashes,
  '0064_removals': removals,
  '0066_guest_devices': guestDevices,
  '0067_join_reservations': joinReservations,
  '0070_refused_mails': refusedMails,
  '0074_cards_by_key': cardsByKey,
  '0075_rows_left_of_imports': rowsLeftOfImports,
  '0076_countries': countries,
  '0077_availability': availability,
  '0078_media_servers': mediaServers,
  '0079_media_links': mediaLinks,
  '0081_box_offers': boxOffers,
  '0080_movie_requests': movieRequests,
  '0082_traces_of_ended_nights': tracesOfEndedNights,
  '0083_applied_imports_and_plain_addresses': appliedImportsAndPlainAddresses,
  '0084_rated_marks': ratedMarks,
  '0085_night_mails': nightMails,
}
