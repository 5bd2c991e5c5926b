/** Longest text that a row, a message or a tooltip line shows, in UTF-16 units. */
const LONGEST = 160;

/** ANSI escape sequences, then controls, line breaks and marks that reorder or hide text. */
const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[ -/]*[@-~]`, 'g');
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu;

/**
 * Text from a record as it may be shown anywhere: one line, no control or direction marks, bounded, and with the
 * openings of icons (`$(`), links (`](`) and command addresses broken, since some surfaces of the editor read them.
 */
export function plainText(text: string, longest: number = LONGEST): string {
  const line = text.replace(ESCAPES, '').replace(HIDDEN, ' ').replace(/\$\(/g, '$ (').replace(/\]\(/g, '] (').trim();
  return line.length > longest ? `${line.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
}
