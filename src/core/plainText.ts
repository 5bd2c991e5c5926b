/** Longest text that a row, a message or a tooltip line shows, in UTF-16 units. */
const LONGEST = 160;

/** Units that are looked at for each that is shown; marks that are taken out may stand between those that stay. */
const CLEANED_PER_SHOWN = 8;

/** ANSI escape sequences, then controls, line breaks and marks that reorder or hide text. */
const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[ -/]*[@-~]`, 'g');
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu;

/**
 * Text from a record as it may be shown anywhere: one line, no control or direction marks, bounded, and with the
 * openings of icons (`$(`) and of links (`](`) broken, since some surfaces of the editor read them.
 */
export function plainText(text: string, longest: number = LONGEST): string {
  // What is shown is short: a text of megabytes is not cleaned to its end.
  const start = text.slice(0, longest * CLEANED_PER_SHOWN);
  const line = start.replace(ESCAPES, '').replace(HIDDEN, ' ').replace(/\$\(/g, '$ (').replace(/\]\(/g, '] (').trim();
  return line.length > longest ? `${line.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
}
