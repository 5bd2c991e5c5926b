import assert from 'node:assert/strict';
import { gateOwner, mutationClaims, mutationIdentity, type Ownership } from '../../../src/core/gate/mutationClaims';
import { codeOf } from '../../../src/core/leaseError';

const REQUEST = { repoId: 'repo_1', checkoutId: 'c1', owner: 'fast:x', environment: {}, processId: 77 };

describe('mutation claims', () => {
  const keys = (ownership: Ownership) =>
    mutationClaims('repo_1', 'c1', ownership).map(({ resourceKey }) => resourceKey);

  it('claim workspace, index and head of the checkout, to write', () => {
    const scope = { mode: 'write', repoId: 'repo_1', checkoutId: 'c1' };
    assert.deepEqual(mutationClaims('repo_1', 'c1', {}), [
      { resourceKey: 'workspace:c1', ...scope },
      { resourceKey: 'git-index:c1', ...scope },
      { resourceKey: 'git-head:c1', ...scope },
    ]);
  });

  it('leave index and head out when they do not change', () => {
    assert.deepEqual(keys({ mutatesGitIndex: false }), ['workspace:c1']);
  });

  it('add the refs before the paths', () => {
    assert.deepEqual(keys({ mutatesGitRefs: true, writePaths: ['src/a.ts'] }), [
      'workspace:c1',
      'git-index:c1',
      'git-head:c1',
      'git-ref:HEAD',
      'git-ref:refs/heads/*',
      'path:c1:src/a.ts',
    ]);
  });

  it('name each path once, in one spelling, and no empty one', () => {
    assert.deepEqual(keys({ mutatesGitIndex: false, writePaths: ['./src/a.ts', 'src\\a.ts', 'src/a.ts', '', './'] }), [
      'workspace:c1',
      'path:c1:src/a.ts',
    ]);
  });
});

describe('owner of a gate', () => {
  it('is marked as a gate', () => assert.equal(gateOwner('x'), 'fast:x'));
  it('keeps the mark that it has', () => assert.equal(gateOwner('fast:x'), 'fast:x'));
  it('leaves workers as they are', () => assert.equal(gateOwner('JOB-1'), 'JOB-1'));
});

describe('identity of a gate', () => {
  it('is completed', () => {
    assert.deepEqual(mutationIdentity(REQUEST), {
      repositoryId: 'repo_1',
      checkoutId: 'c1',
      worktreeId: 'c1',
      branch: 'unknown',
      principalId: 'owner:fast:x',
      controllerInstanceId: 'process:77',
      controllerGeneration: 'unbound',
    });
  });

  const WRONG = {
    MUTATION_OWNER_REPOSITORY_MISMATCH: { repositoryId: 'repo_2' },
    MUTATION_OWNER_CHECKOUT_MISMATCH: { checkoutId: 'c2' },
  };
  for (const [code, provided] of Object.entries(WRONG)) {
    it(code, () => {
      assert.throws(
        () => mutationIdentity({ ...REQUEST, provided }),
        error => codeOf(error) === code,
      );
    });
  }
});
