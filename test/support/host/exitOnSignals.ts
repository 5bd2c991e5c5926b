const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
let installed = false;

/** Lets a signal end this process the usual way, so that the servers and browsers it started are ended with it. */
export function exitOnSignals(): void {
  if (installed) return;
  installed = true;
  for (const [signal, number] of Object.entries(SIGNALS)) process.once(signal, () => process.exit(128 + number));
}
