import type { Blocker } from '../../../src/core/leases/blocker';
import type { LeaseFile } from '../../../src/core/leases/leaseDirectory';
import type { LeaseRecord } from '../../../src/core/leases/leaseRecord';
import { parseResource } from '../../../src/core/leases/resource';
import type { LeasePicture, RepositoryPicture } from '../../../src/core/picture/leasePicture';
import type { Refusal } from '../../../src/editor/gateState';
import type { Row } from '../../../src/editor/views/row';

/** Noon of local time, so that texts with a time do not depend on the zone. */
export const NOW = new Date(2026, 2, 1, 12, 0, 0).getTime();
/** Text as a hostile record may hold it. */
export const HOSTILE = `a\n${String.fromCodePoint(0x202e)}$(trash)[x](command:y)${'z'.repeat(2_000)}`;

export function leaseRecord(members: Partial<LeaseRecord> = {}): LeaseRecord {
  const at = new Date(NOW - 60_000).toISOString();
  return {
    schemaVersion: 1,
    leaseId: 'LEASE-1-aaaaaaaa',
    repoId: 'repo_1',
    resourceKey: 'workspace:c1',
    mode: 'write',
    ownerJobId: 'JOB-1842',
    fencingToken: 1,
    acquiredAt: at,
    expiresAt: new Date(NOW + 23_000).toISOString(),
    heartbeatAt: at,
    ...members,
  };
}

export function leaseFile(members: Partial<LeaseRecord> = {}): LeaseFile {
  const record = leaseRecord(members);
  const wall = Date.parse(record.expiresAt);
  return {
    kind: 'lease',
    file: `/home/x/leases/active/${record.leaseId}.json`,
    text: JSON.stringify(record),
    record,
    resource: parseResource(record.resourceKey),
    expiry: { wall, monotonic: wall },
  };
}

export function leaseBlocker(members: Partial<LeaseRecord> = {}, asked: string = 'git-index:c1'): Blocker {
  const { record, file } = leaseFile(members);
  return { kind: 'lease', claim: { resourceKey: asked, mode: 'write' }, lease: record, file };
}

export function refusal(blockers: readonly Blocker[], members: Partial<Refusal> = {}): Refusal {
  const sentence = 'Commit did not run: JOB-1842 holds workspace.';
  return {
    id: 'commit:c1',
    operation: 'commit',
    repoId: 'repo_1',
    repository: 'app',
    blockers,
    sentence,
    at: NOW,
    ...members,
  };
}

export function repository(leases: readonly LeaseFile[], members: Partial<RepositoryPicture> = {}): RepositoryPicture {
  const checkouts = [
    { checkoutId: 'c1', root: '/home/dev/app', branch: 'main', linked: false },
    { checkoutId: 'c2', root: '/home/dev/app-fix', branch: 'fix', linked: true },
  ];
  return { repoId: 'repo_1', displayName: 'app', registered: true, checkouts, leases, unreadable: [], ...members };
}

export function pictureOf(
  repositories: readonly RepositoryPicture[],
  members: Partial<LeasePicture> = {},
): LeasePicture {
  const home = { kind: 'agents' as const, path: '/home/dev/.forge/controller' };
  return { home, watching: { kind: 'events' }, repositories, problems: [], ...members };
}

/** The rows and everything below them, parents first. */
export function flatRows(rows: readonly Row[]): Row[] {
  return rows.flatMap(row => [row, ...flatRows(row.children)]);
}

/** Labels and descriptions as a person sees them, two spaces for each level. */
export function outline(rows: readonly Row[], indent: string = ''): string[] {
  return rows.flatMap(row => [`${indent}${row.label}: ${row.description}`, ...outline(row.children, `${indent}  `)]);
}

const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\$\((?!lock\)|warning\)|sync~spin\))|\]\(/u;

/** Texts of a row that show a control mark, an icon or a link of somebody else, or have no bound. */
export function harmfulTexts(row: Row): string[] {
  const { title, lines } = row.tooltip();
  return [row.label, row.description, row.spoken, title, ...lines.flat()].filter(
    text => HARMFUL.test(text) || text.length > 1_000,
  );
}
