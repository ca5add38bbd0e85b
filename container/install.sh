#!/bin/sh
# Installs the Assay package and its dependencies, without build tools, into a folder.
# Usage: container/install.sh FOLDER, in a checkout after `npm ci`
set -eu
into=$1
packed=$(npm pack --silent --ignore-scripts --pack-destination "${TMPDIR:-/tmp}")
mkdir -p "$into"
cd "$into"
printf '{ "name": "container", "private": true }\n' >package.json
npm install --silent --omit=dev --no-fund --no-audit "${TMPDIR:-/tmp}/$packed"
rm "${TMPDIR:-/tmp}/$packed"
