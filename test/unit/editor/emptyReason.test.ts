import assert from 'node:assert/strict';
import { emptyReason, viewMessage } from '../../../src/editor/views/emptyReason';
import { pictureOf, repository } from './pictureFixture';

const OWN = { kind: 'own', path: '/x' } as const;
const ABSENT = { kind: 'absent', path: '/x' } as const;
const PROBLEMS = [{ file: '/x/repositories.json', reason: 'it is empty' }];
const registered = repository([]);
const unregistered = repository([], { registered: false });

describe('why nothing is shown', () => {
  it('nothing was read yet', () => assert.equal(emptyReason(pictureOf([], { home: ABSENT }), false), 'reading'));
  it('a problem comes before all else that was read', () => {
    assert.equal(emptyReason(pictureOf([registered], { problems: PROBLEMS }), true), 'problem');
    assert.equal(emptyReason(pictureOf([], { home: ABSENT, problems: PROBLEMS }), true), 'problem');
  });
  it('there is no home', () => assert.equal(emptyReason(pictureOf([registered], { home: ABSENT }), true), 'noHome'));
  it('no folder lies in a repository', () => assert.equal(emptyReason(pictureOf([]), true), 'noRepository'));
  it('only our own home is there', () => {
    assert.equal(emptyReason(pictureOf([unregistered], { home: OWN }), true), 'ownHome');
  });
  it('no open repository is registered', () => {
    assert.equal(emptyReason(pictureOf([unregistered]), true), 'notRegistered');
  });
  it('nothing is held', () => {
    assert.equal(emptyReason(pictureOf([unregistered, registered]), true), 'nothingHeld');
  });
});

describe('the message above the rows', () => {
  it('is none when all is as it should be', () => assert.equal(viewMessage(pictureOf([registered])), undefined));
  it('tells of polling and why', () => {
    const watching = { kind: 'polling', everyMs: 2_000, reason: 'the system has no file watches left' } as const;
    const made = viewMessage(pictureOf([registered], { watching, problems: PROBLEMS }));
    assert.equal(made, 'Polling every 2 s, since the system has no file watches left.');
  });
  it('points to what cannot be read', () => {
    assert.match(viewMessage(pictureOf([registered], { problems: PROBLEMS })) ?? '', /Needs Attention/);
  });
});
