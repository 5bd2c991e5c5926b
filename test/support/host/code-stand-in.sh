#!/bin/sh
# Stands in for the executable of a desktop VS Code: same arguments, VS Code in the browser.
exec node --enable-source-maps "$(dirname "$0")/../../../out/test/support/host/codeStandIn.js" "$@"
