#!/bin/sh
# Creates the secrets of compose.scale.yaml in the folder secrets/, unless they exist. Only the owner can enter the folder.
# Each file is mounted into the containers that need it.
set -eu
cd "$(dirname "$0")/.."
if [ -e secrets ]; then
  echo 'secrets/ is there already: nothing was changed.'
  exit 0
fi
random() {
  head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n'
}
draft=$(mktemp -d ./secrets.XXXXXX)
database=$(random)
redis=$(random)
printf '%s\n' "$database" > "$draft/postgres_password"
printf 'postgres://marquee:%s@postgres:5432/marquee\n' "$database" > "$draft/database_url"
printf '%s\n' "$redis" > "$draft/redis_password"
printf 'redis://default:%s@valkey:6379\n' "$redis" > "$draft/redis_url"
printf 'marquee-%s\n' "$(random | cut -c 1-8)" > "$draft/s3_access_key_id"
random > "$draft/s3_secret_access_key"
echo >> "$draft/s3_secret_access_key"
chmod 444 "$draft"/*
chmod 700 "$draft"
mv "$draft" secrets
echo 'The secrets are in secrets/. Keep them, and keep them to yourself.'
