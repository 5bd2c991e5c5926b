import { jsonText } from '../../src/core/storage/atomicJson';

/** A complete record of somebody else's lease; `undefined` removes a member. */
export function leaseRecordFixture(members: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    schemaVersion: 1,
    leaseId: 'LEASE-1767268800000-00000001',
    repoId: 'repo_a',
    checkoutId: 'c1',
    resourceKey: 'workspace:c1',
    mode: 'write',
    ownerJobId: 'JOB-1',
    ownerIdentity: {
      repositoryId: 'repo_a',
      checkoutId: 'c1',
      worktreeId: 'c1',
      branch: 'main',
      principalId: 'owner:JOB-1',
      controllerInstanceId: 'process:1',
      controllerGeneration: 'unbound',
    },
    ownerIdentityDigest: 'f'.repeat(64),
    fencingToken: 7,
    acquiredAt: '2026-01-01T12:00:00.000Z',
    expiresAt: '2026-01-01T12:00:30.000Z',
    heartbeatAt: '2026-01-01T12:00:00.000Z',
    visibility: 'durable',
    ...members,
  };
}

export function leaseText(members: Readonly<Record<string, unknown>> = {}): string {
  return jsonText(leaseRecordFixture(members));
}
