import assert from 'node:assert/strict';
import { plainText } from '../../src/core/plainText';

const ESC = String.fromCharCode(27);
const at = (code: number) => String.fromCodePoint(code);

describe('plain text', () => {
  const HOSTILE: Readonly<Record<string, [given: string, shown: string]>> = {
    'ordinary text': ['src/login.ts', 'src/login.ts'],
    'text in other scripts': ['данные/日本', 'данные/日本'],
    'a picture character': ['docs 🙂', 'docs 🙂'],
    'line breaks': ['one\r\ntwo\nthree', 'one two three'],
    'unicode line breaks': [`one${at(0x2028)}two${at(0x2029)}three`, 'one two three'],
    'colours of a terminal': [`${ESC}[31mred${ESC}[0m`, 'red'],
    'a lone escape': [`a${ESC}b`, 'a b'],
    NUL: [`a${at(0)}b`, 'a b'],
    'a mark that reverses': [`gpj.${at(0x202e)}exe`, 'gpj. exe'],
    'marks that isolate': [`${at(0x2066)}a${at(0x2069)}`, 'a'],
    'characters without width': [`a${at(0x200b)}${at(0xfeff)}b`, 'a b'],
    'half a character': [`a${String.fromCharCode(0xd83d)}b`, 'a b'],
    'an icon': ['$(trash) gone', '$ (trash) gone'],
    'an icon hidden by a mark': [`$${at(0x200b)}(trash)`, '$ (trash)'],
    'an icon hidden by a colour': [`$${ESC}[31m(trash)`, '$ (trash)'],
    'a link': ['[x](command:workbench.action.quit)', '[x] (command:workbench.action.quit)'],
    'white space alone': [' \t\n ', ''],
    nothing: ['', ''],
  };
  for (const [what, [given, shown]] of Object.entries(HOSTILE)) it(what, () => assert.equal(plainText(given), shown));

  it('is bounded', () => {
    assert.equal(plainText('x'.repeat(100_000)).length, 160);
    assert.equal(plainText('x'.repeat(160)), 'x'.repeat(160));
    assert.equal(plainText('abcdef', 4), 'abc…');
  });

  it('cuts no character in two', () => assert.equal(plainText('ab🙂cd', 4), 'ab…'));

  it('changes nothing that it made', () => {
    for (const [given] of Object.values(HOSTILE)) assert.equal(plainText(plainText(given)), plainText(given));
  });

  it('is fast on text that is all escapes', () => {
    assert.equal(plainText(`${ESC}[`.repeat(200_000)).length, 160);
  });
});
