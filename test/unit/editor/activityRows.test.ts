import assert from 'node:assert/strict';
import { pictureDiff } from '../../../src/core/picture/pictureDiff';
import { ActivityLog } from '../../../src/editor/activityLog';
import { activityOf, activityRows } from '../../../src/editor/views/activityRows';
import { flatRows, HOSTILE, harmfulTexts, leaseFile, NOW, outline, pictureOf, repository } from './pictureFixture';

const HELD = pictureOf([repository([leaseFile()])]);
const FREE = pictureOf([repository([])]);

describe('activity rows', () => {
  const entriesOf = (before: typeof HELD, after: typeof HELD, now = NOW, ours: readonly string[] = []) =>
    activityOf(pictureDiff(before, after), new Set(ours), now).map(({ kind, text }) => [kind, text]);

  it('tell who took what', () => {
    assert.deepEqual(entriesOf(FREE, HELD), [['appeared', 'JOB-1842 took workspace (write)']]);
  });

  it('tell who gave back what', () => {
    assert.deepEqual(entriesOf(HELD, FREE), [['gone', 'JOB-1842 gave back workspace (write)']]);
  });

  it('tell what expired', () => {
    assert.deepEqual(entriesOf(HELD, FREE, NOW + 23_000), [['expired', 'JOB-1842 let expire workspace (write)']]);
  });

  it('tell nothing of renewals', () => {
    const renewed = pictureOf([repository([leaseFile({ expiresAt: new Date(NOW + 60_000).toISOString() })])]);
    assert.deepEqual(entriesOf(HELD, renewed), []);
  });

  it('say nothing of a file that cannot be read any more', () => {
    const lease = leaseFile();
    const unreadable = [{ kind: 'unreadable', file: lease.file, reason: 'it is empty' }] as const;
    const before = pictureOf([repository([lease])]);
    assert.deepEqual(entriesOf(before, pictureOf([repository([], { unreadable })])), []);
  });

  it('say nothing of a repository that is not looked at any more, or was not before', () => {
    assert.deepEqual(entriesOf(HELD, pictureOf([])), []);
    assert.deepEqual(entriesOf(pictureOf([]), HELD), []);
  });

  it('call our own gate You', () => {
    assert.deepEqual(entriesOf(FREE, HELD, NOW, ['JOB-1842']), [['appeared', 'You took workspace (write)']]);
  });

  it('stand with the newest first', () => {
    const log = new ActivityLog(assert.ifError);
    log.add([
      { at: NOW - 2_000, kind: 'appeared', text: 'one', repository: 'app' },
      { at: NOW - 1_000, kind: 'gone', text: 'two', repository: 'app' },
    ]);
    log.add([{ at: NOW, kind: 'committed', text: 'three', repository: 'app' }]);
    assert.deepEqual(outline(activityRows(log.entries, NOW).rows), [
      'three: 12:00:00, app',
      'two: 11:59:59, app',
      'one: 11:59:58, app',
    ]);
    const ids = log.entries.map(({ id }) => id);
    assert.equal(new Set(ids).size, 3);
  });

  it('forget the oldest beyond 200', () => {
    const log = new ActivityLog(assert.ifError);
    for (let index = 0; index < 250; index++) {
      log.add([{ at: NOW, kind: 'gone', text: `${index}`, repository: 'app' }]);
    }
    assert.equal(log.entries.length, 200);
    assert.equal(log.entries[0]?.text, '249');
    assert.equal(log.entries.at(-1)?.text, '50');
  });

  it('show hostile records as plain, bounded text', () => {
    const lease = leaseFile({ ownerJobId: HOSTILE, mode: HOSTILE, resourceKey: HOSTILE });
    const changes = pictureDiff(FREE, pictureOf([repository([lease], { displayName: HOSTILE })]));
    const log = new ActivityLog(assert.ifError);
    log.add(activityOf(changes, new Set(), NOW));
    assert.deepEqual(flatRows(activityRows(log.entries, NOW).rows).flatMap(harmfulTexts), []);
  });
});
