import assert from 'node:assert/strict';
import { refusalSentence } from '../../../src/core/gate/refusalSentence';
import { blockerRows } from '../../../src/editor/views/blockerRows';
import { flatRows, HOSTILE, harmfulTexts, leaseBlocker, NOW, outline, refusal } from './pictureFixture';

describe('blocker rows', () => {
  it('are none when nothing was refused', () => assert.deepEqual(blockerRows([], NOW).rows, []));

  it('name the operation, below it its holders, and below each the rule', () => {
    const unreadable = { kind: 'unreadable', file: '/h/broken.json', reason: 'it is empty' } as const;
    const refused = refusal([leaseBlocker(), leaseBlocker({ leaseId: 'L2', ownerJobId: 'fast:x' }), unreadable]);
    assert.deepEqual(outline(blockerRows([refused], NOW).rows), [
      'Your commit did not run: in app, 12:00:00',
      '  JOB-1842: holds workspace, until 12:00:23',
      '    workspace: write on workspace overlaps your write on index',
      '  fast:x: holds workspace, until 12:00:23',
      '    workspace: write on workspace overlaps your write on index',
      '  broken.json: cannot be read: it is empty',
    ]);
  });

  it('name the rule', () => {
    const row = flatRows(blockerRows([refusal([leaseBlocker({ mode: 'exclusive' })])], NOW).rows)[2];
    const rule = 'exclusive on workspace overlaps your write on index';
    assert.ok(row?.tooltip().lines.some(([name, value]) => name === 'Rule' && value === rule));
    assert.equal(row?.spoken, `workspace until 12:00:23: ${rule}.`);
  });

  it('name a lease once that refuses two claims', () => {
    const refused = refusal([leaseBlocker({}, 'git-index:c1'), leaseBlocker({}, 'git-head:c1')]);
    const [holder] = blockerRows([refused], NOW).rows[0]?.children ?? [];
    assert.equal(holder?.children.length, 1);
    assert.equal(holder.children[0]?.tooltip().lines.filter(([name]) => name === 'Rule').length, 2);
  });

  it('group what one owner holds, the widest first', () => {
    const blockers = ['git-ref:HEAD', 'git-ref:refs/heads/*', 'git-index:c1', 'workspace:c1'].map(
      (resourceKey, index) => leaseBlocker({ leaseId: `L${index}`, resourceKey }),
    );
    const [holder, ...others] = blockerRows([refusal(blockers)], NOW).rows[0]?.children ?? [];
    assert.equal(others.length, 0);
    assert.equal(holder?.description, 'holds workspace, index and refs, until 12:00:23');
    assert.deepEqual(
      holder.children.map(({ label }) => label),
      ['workspace', 'index', 'ref HEAD', 'refs/heads/*'],
    );
  });

  it('have no lease below a refusal by the lock or by a fence', () => {
    const refused = refusal([
      { kind: 'lock', detail: 'held' },
      { kind: 'fence', reason: 'an agent runtime owns it' },
    ]);
    assert.deepEqual(blockerRows([refused], NOW).rows[0]?.children, []);
  });

  it('show hostile records as plain, bounded text', () => {
    const members = { ownerJobId: HOSTILE, mode: HOSTILE, resourceKey: HOSTILE, leaseId: HOSTILE };
    const blockers = [
      leaseBlocker(members),
      { kind: 'unreadable', file: `/h/${HOSTILE}`, reason: HOSTILE } as const,
      { kind: 'lock', detail: HOSTILE } as const,
    ];
    const sentence = refusalSentence('Commit', blockers, NOW);
    const { rows } = blockerRows([refusal(blockers, { repository: HOSTILE, sentence })], NOW);
    assert.deepEqual(flatRows(rows).flatMap(harmfulTexts), []);
  });
});
