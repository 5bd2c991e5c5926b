import assert from 'node:assert/strict';
import { statusText } from '../../../src/editor/views/statusText';
import { HOSTILE, leaseBlocker, leaseFile, NOW, pictureOf, refusal, repository } from './pictureFixture';

const NOTHING = pictureOf([repository([])]);
const RUNNING = { owner: 'fast:x', operation: 'commit', repository: 'app', since: NOW - 3_200 };

describe('status text', () => {
  it('is nothing when nothing is held', () => assert.equal(statusText(NOTHING, [], [], NOW), undefined));

  it('counts what is held in all repositories', () => {
    const one = pictureOf([repository([leaseFile()])]);
    assert.deepEqual(statusText(one, [], [], NOW), {
      text: '$(lock) 1',
      tooltip: '1 lease is held in the open folders.',
      spoken: '1 lease is held in the open folders.',
      warning: false,
    });
    const three = pictureOf([repository([leaseFile(), leaseFile()]), repository([leaseFile()])]);
    assert.equal(statusText(three, [], [], NOW)?.text, '$(lock) 3');
  });

  it('names who blocks a refused operation, with a warning', () => {
    const made = statusText(NOTHING, [], [refusal([leaseBlocker()])], NOW);
    assert.equal(made?.text, '$(warning) JOB-1842 holds workspace');
    assert.equal(made.warning, true);
    assert.equal(made.spoken, 'Commit did not run: JOB-1842 holds workspace.');
  });

  it('says how many others block it', () => {
    const blockers = ['JOB-1', 'JOB-1', 'JOB-2', 'JOB-3'].map((ownerJobId, index) =>
      leaseBlocker({ ownerJobId, leaseId: `L${index}` }),
    );
    const made = statusText(NOTHING, [], [refusal(blockers)], NOW);
    assert.equal(made?.text, '$(warning) JOB-1 holds workspace (and 2 more)');
  });

  it('says that a lease file cannot be read', () => {
    const made = statusText(NOTHING, [], [refusal([{ kind: 'unreadable', file: '/h/x.json', reason: 'empty' }])], NOW);
    assert.equal(made?.text, '$(warning) a lease file cannot be read');
  });

  it('shows the running operation before all else, and for how long', () => {
    const made = statusText(pictureOf([repository([leaseFile()])]), [RUNNING], [refusal([leaseBlocker()])], NOW);
    assert.equal(made?.text, '$(sync~spin) commit, 3 s');
    assert.equal(made.warning, false);
    assert.equal(made.spoken, 'Your commit in app runs under a lease.');
  });

  it('keeps hostile text from drawing icons', () => {
    const blockers = [leaseBlocker({ ownerJobId: HOSTILE, resourceKey: `path:${HOSTILE}` })];
    const made = statusText(NOTHING, [], [refusal(blockers)], NOW);
    assert.equal(made?.text.split('$(').length, 2);
    assert.ok(made.text.length < 300);
    const running = statusText(NOTHING, [{ ...RUNNING, repository: HOSTILE }], [], NOW);
    assert.equal(running?.tooltip.includes('$('), false);
  });
});
