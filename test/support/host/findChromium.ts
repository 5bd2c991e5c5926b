import { existsSync } from 'node:fs';
import * as path from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'chrome.exe'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files\\Chromium\\Application\\chrome.exe',
];

/** Chromium or Chrome, by CHROME_PATH, by the usual names on PATH, then in the usual places. */
export function findChromium(): string {
  const named = process.env.CHROME_PATH;
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`CHROME_PATH names ${named}, which does not exist.`);
  }
  const onPath = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter(Boolean)
    .flatMap(directory => NAMES.map(name => path.join(directory, name)));
  const found = [...onPath, ...PLACES].find(file => existsSync(file));
  if (found) return found;
  throw new Error(
    'No browser was found: install Chromium (on Debian: apt-get install chromium) or set CHROME_PATH to one.',
  );
}
