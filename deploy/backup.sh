#!/bin/sh
# Copies what a server with an embedded store needs to go on elsewhere, while it runs.
#
#     backup.sh DATA_DIRECTORY NEW_DIRECTORY
#
# The store writes every change to files that it only ever appends to, and a manifest that names them. From time
# to time it writes them anew, and then the manifest changes: a copy during which that happened is made again.
# A change that was being written when its file was copied is missing at the end of the copy, and is dropped when
# a store starts on it. The rest of the data directory belongs to the running process and is not copied.
#
# To restore, start on the copy: croupier serve --data NEW_DIRECTORY
set -eu
[ $# -eq 2 ] || { echo "usage: backup.sh DATA_DIRECTORY NEW_DIRECTORY" >&2; exit 2; }
log=$1/store/appendonlydir
[ -f "$log/appendonly.aof.manifest" ] || { echo "backup.sh: there is no store in $1" >&2; exit 2; }
umask 077
mkdir "$2"  # fails where there is something already: no backup is written over another
mkdir "$2/store"
tries=0
until cp -pR "$log" "$2/store/" 2>"$2/errors" &&
  cmp -s "$log/appendonly.aof.manifest" "$2/store/appendonlydir/appendonly.aof.manifest"; do
  tries=$((tries + 1))
  [ $tries -lt 10 ] || { echo "backup.sh: the files kept changing" >&2; cat "$2/errors" >&2; exit 1; }
  rm -rf "$2/store/appendonlydir"
  sleep 1
done
rm -f "$2/errors"
cp -p "$1/croupier.json" "$2/"
for key in "$1"/*.key; do  # without them the shoes in play cannot be opened
  if [ -f "$key" ]; then cp -p "$key" "$2/"; fi
done
