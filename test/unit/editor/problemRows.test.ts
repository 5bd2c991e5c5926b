import assert from 'node:assert/strict';
import type { StuckLock } from '../../../src/core/picture/leasePicture';
import { problemRows } from '../../../src/editor/views/problemRows';
import { flatRows, HOSTILE, harmfulTexts, NOW, outline, pictureOf, repository } from './pictureFixture';

const UNREADABLE = { kind: 'unreadable', file: '/h/leases/active/broken.json', reason: 'it is empty' } as const;

function stuckLock(owner: string): StuckLock {
  const at = new Date(NOW - 60_000).toISOString();
  const file = '/h/locks/repository.lock.json';
  const record = { scope: 'repository', lockId: 'l', owner, pid: 1, acquiredAt: at, heartbeatAt: at, path: file };
  return { kind: 'held', file, record };
}

describe('problem rows', () => {
  it('are none when everything can be read', () => {
    assert.deepEqual(problemRows(pictureOf([repository([])]), NOW).rows, []);
  });

  it('name problems of the home, then locks, then lease files', () => {
    const problems = [{ file: '/h/repositories.json', reason: 'it is not valid JSON' }];
    const repositories = [repository([], { unreadable: [UNREADABLE], stuckLock: stuckLock('lease-acquire:JOB-1') })];
    assert.deepEqual(outline(problemRows(pictureOf(repositories, { problems }), NOW).rows), [
      'repositories.json: it is not valid JSON',
      'repository lock: taken by lease-acquire:JOB-1 since 11:59:00',
      'broken.json: cannot be read: it is empty',
    ]);
  });

  it('say what each blocks', () => {
    const repositories = [repository([], { unreadable: [UNREADABLE], stuckLock: stuckLock('x') })];
    const [lock, file] = problemRows(pictureOf(repositories), NOW).rows;
    assert.match(lock?.spoken ?? '', /Nobody can take or give back a lease/);
    assert.match(file?.spoken ?? '', /blocks every gated operation in this repository/);
    assert.equal(file?.file, UNREADABLE.file);
  });

  it('have ids of their own across repositories', () => {
    const repositories = ['repo_1', 'repo_2'].map(repoId =>
      repository([], { repoId, unreadable: [UNREADABLE], stuckLock: stuckLock('x') }),
    );
    const ids = problemRows(pictureOf(repositories), NOW).rows.map(({ id }) => id);
    assert.equal(new Set(ids).size, 4);
  });

  it('show hostile text as plain, bounded text', () => {
    const bad = { file: `/h/${HOSTILE}.json`, reason: HOSTILE };
    const unreadable = [{ kind: 'unreadable' as const, ...bad }];
    const repositories = [
      repository([], { unreadable, stuckLock: stuckLock(HOSTILE) }),
      repository([], { stuckLock: { kind: 'unreadable', ...bad } }),
    ];
    const { rows } = problemRows(pictureOf(repositories, { problems: [bad] }), NOW);
    assert.equal(rows.length, 4);
    assert.deepEqual(flatRows(rows).flatMap(harmfulTexts), []);
  });
});
