import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { codeOf } from '../../../src/core/leaseError';
import { LeaseDirectory, type LeaseEntry } from '../../../src/core/leases/leaseDirectory';
import { type FileSystem, nodeFileSystem } from '../../../src/core/storage/fileSystem';
import { TestHome } from '../../support/controllerHome';
import { FakeClock } from '../../support/fakeClock';

const NAME = 'LEASE-1-aaaaaaaa.json';

function record(members: Readonly<Record<string, unknown>> = {}): string {
  const at = '2026-03-01T12:00:00.000Z';
  return JSON.stringify({
    schemaVersion: 1,
    leaseId: 'LEASE-1-aaaaaaaa',
    repoId: 'repo_1',
    resourceKey: 'workspace:c1',
    mode: 'write',
    ownerJobId: 'JOB-1',
    fencingToken: 3,
    acquiredAt: at,
    expiresAt: '2026-03-01T12:01:00.000Z',
    heartbeatAt: at,
    ...members,
  });
}

/** Node's `fs` of which one operation always fails. */
function failing(operation: keyof FileSystem, code: string): FileSystem {
  const fail = () => {
    throw Object.assign(new Error(`${code}: made to fail`), { code });
  };
  return { ...nodeFileSystem, [operation]: fail };
}

describe('lease directory', () => {
  let scratch: string;
  let active: string;

  beforeEach(() => {
    scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'lh-directory-')));
    active = path.join(scratch, 'active');
    mkdirSync(active);
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  const open = (fileSystem: FileSystem = nodeFileSystem) =>
    new LeaseDirectory(active, { fileSystem, clock: new FakeClock() });
  const write = (text: string, name = NAME) => writeFileSync(path.join(active, name), text);
  const readAll = async (directory = open()): Promise<LeaseEntry[]> => {
    await directory.readAgain('all');
    return [...directory.entries];
  };

  async function assertUnreadable(reason: RegExp, directory = open()): Promise<void> {
    const [entry, ...others] = await readAll(directory);
    assert.equal(others.length, 0);
    assert.equal(entry?.kind, 'unreadable');
    assert.equal(entry.file, path.join(active, NAME));
    assert.match(entry.reason, reason);
  }

  describe('what does not say whom it stands for is unreadable', () => {
    const BAD: Readonly<Record<string, [text: string, reason: RegExp]>> = {
      'no JSON': ['{"schemaVersion":1,', /not valid JSON/],
      'an empty file': ['', /empty/],
      'only white space': [' \n', /empty/],
      'a list': ['[]', /./],
      'JSON null': ['null', /./],
      'no owner': [record({ ownerJobId: undefined }), /ownerJobId/],
      'no resource': [record({ resourceKey: undefined }), /resourceKey/],
      'no token': [record({ fencingToken: undefined }), /fencingToken/],
      'a token of 0': [record({ fencingToken: 0 }), /fencingToken/],
      'a token that is text': [record({ fencingToken: '3' }), /fencingToken/],
      'another version': [record({ schemaVersion: 2 }), /schemaVersion/],
      'no expiry': [record({ expiresAt: undefined }), /expiresAt/],
      'an expiry that is no date': [record({ expiresAt: 'soon' }), /expiresAt/],
      'an expiry that is not ISO': [record({ expiresAt: 'Mar 1 2026' }), /expiresAt/],
      'an expiry on the 13th month': [record({ expiresAt: '2026-13-01T12:00:00.000Z' }), /expiresAt/],
      'an expiry that is a number': [record({ expiresAt: 1_772_366_400_000 }), /expiresAt/],
      'an unknown visibility': [record({ visibility: 'secret' }), /visibility/],
      'a leaseId that names another file': [record({ leaseId: 'LEASE-2-bbbbbbbb' }), /names another file/],
      'a leaseId that leaves the directory': [record({ leaseId: '../../counters/x' }), /names another file/],
      'an absolute leaseId': [record({ leaseId: '/etc/passwd' }), /names another file/],
      'an empty leaseId': [record({ leaseId: '' }), /leaseId/],
    };
    for (const [what, [text, reason]] of Object.entries(BAD)) {
      it(what, async () => {
        write(text);
        await assertUnreadable(reason);
      });
    }

    it('a symbolic link, even to a good record', async () => {
      writeFileSync(path.join(scratch, 'elsewhere.json'), record());
      symlinkSync(path.join(scratch, 'elsewhere.json'), path.join(active, NAME));
      await assertUnreadable(/symbolic link/);
    });

    it('a symbolic link to nothing', async () => {
      symlinkSync(path.join(scratch, 'nowhere'), path.join(active, NAME));
      await assertUnreadable(/symbolic link/);
    });

    it('a directory', async () => {
      mkdirSync(path.join(active, NAME));
      await assertUnreadable(/directory/);
    });

    it('a pipe, without waiting for its other end', async () => {
      execFileSync('mkfifo', [path.join(active, NAME)]);
      await assertUnreadable(/not a regular file/);
    });

    it('a huge file', async () => {
      write(`${' '.repeat(4 * 1024 * 1024)}${record()}`);
      await assertUnreadable(/larger than/);
    });

    it('a file that may not be opened', async () => {
      write(record());
      const fileSystem = failing('openSync', 'EACCES');
      await assertUnreadable(/permission is denied/, open(fileSystem));
    });

    it('a file that the disk does not give', async () => {
      write(record());
      const fileSystem = failing('readFileSync', 'EIO');
      await assertUnreadable(/EIO/, open(fileSystem));
    });

    it('a file whose kind cannot be told', async () => {
      write(record());
      const fileSystem = failing('fstatSync', 'EIO');
      await assertUnreadable(/EIO/, open(fileSystem));
    });
  });

  for (const code of ['EACCES', 'EIO', 'EMFILE', 'ENOTDIR']) {
    it(`throws rather than being empty when it cannot be listed (${code})`, async () => {
      write(record());
      const fileSystem = failing('readdirSync', code);
      const directory = open(fileSystem);
      await assert.rejects(directory.readAgain('all'), error => codeOf(error) === 'LEASE_UNREADABLE');
      assert.throws(
        () => directory.readNew(),
        error => codeOf(error) === 'LEASE_UNREADABLE',
      );
    });
  }

  it('keeps what it knew when it cannot be listed any more', async () => {
    write(record());
    let readdirSync = nodeFileSystem.readdirSync;
    const directory = open({
      ...nodeFileSystem,
      get readdirSync() {
        return readdirSync;
      },
    });
    const [before] = await readAll(directory);
    readdirSync = failing('readdirSync', 'EIO').readdirSync;
    await assert.rejects(directory.readAgain('all'));
    assert.deepEqual([...directory.entries], [before]);
  });

  it('throws when it is a file', async () => {
    rmSync(active, { recursive: true });
    writeFileSync(active, '');
    await assert.rejects(open().readAgain('all'), error => codeOf(error) === 'LEASE_UNREADABLE');
  });

  it('is empty when it does not exist', async () => {
    rmSync(active, { recursive: true });
    assert.deepEqual(await readAll(), []);
  });

  it('reads records from before identity, digest and visibility', async () => {
    write(record());
    const [entry] = await readAll();
    assert.equal(entry?.kind, 'lease');
    assert.equal(entry.record.ownerIdentity, undefined);
    assert.equal(entry.record.ownerIdentityDigest, undefined);
    assert.equal(entry.record.visibility, undefined);
  });

  it('reads records with members that it does not know and modes that nobody knows', async () => {
    write(record({ note: { by: 'somebody' }, mode: 'append' }));
    const [entry] = await readAll();
    assert.equal(entry?.kind === 'lease' && entry.record.mode, 'append');
  });

  it('leaves aside names that are no records', async () => {
    write('', `${NAME}.4711.tmp`);
    write('', 'README');
    assert.deepEqual(await readAll(), []);
  });

  it('changes nothing by reading', async () => {
    const home = new TestHome(path.join(scratch, 'home'), scratch);
    home.writeLease();
    home.writeAmongLeases('broken.json', '{');
    home.writeAmongLeases('over.json', record({ leaseId: 'over', expiresAt: '2020-01-01T00:00:00.000Z' }));
    const look = () =>
      ['', ...readdirSync(home.activeLeases).sort()].map(name => {
        const { ino, mtimeMs, size } = statSync(path.join(home.activeLeases, name));
        return [name, ino, mtimeMs, size];
      });
    const before = look();
    const directory = new LeaseDirectory(home.activeLeases, { fileSystem: nodeFileSystem, clock: new FakeClock() });
    await directory.readAgain('all');
    directory.readNew();
    directory.readLease('broken');
    assert.equal([...directory.entries].length, 3);
    assert.deepEqual(look(), before);
  });

  it('gives the same entry as long as the content is the same', async () => {
    write(record());
    write('{', 'broken.json');
    const directory = open();
    const before = await readAll(directory);
    write(record());
    write('{', 'broken.json');
    const after = await readAll(directory);
    assert.equal(after.length, 2);
    for (const [index, entry] of after.entries()) assert.equal(entry, before[index]);
  });

  it('gives another entry when the content is another', async () => {
    write(record());
    const directory = open();
    const [before] = await readAll(directory);
    write(record({ expiresAt: '2026-03-01T12:02:00.000Z' }));
    const [after] = await readAll(directory);
    assert.notEqual(after, before);
    assert.equal(after?.kind === 'lease' && after.record.expiresAt, '2026-03-01T12:02:00.000Z');
  });

  it('reads a known name again only when it is named', async () => {
    write(record());
    const directory = open();
    const [before] = await readAll(directory);
    write(record({ expiresAt: '2026-03-01T12:02:00.000Z' }));
    await directory.readAgain(new Set());
    assert.deepEqual([...directory.entries], [before]);
    await directory.readAgain(new Set([NAME]));
    assert.notEqual([...directory.entries][0], before);
  });

  it('reads what was unreadable again under the lock', async () => {
    write('{');
    const directory = open();
    await readAll(directory);
    write(record());
    directory.readNew();
    assert.equal([...directory.entries][0]?.kind, 'lease');
  });

  it('forgets what is gone', async () => {
    write(record());
    const directory = open();
    await readAll(directory);
    rmSync(path.join(active, NAME));
    assert.equal(directory.readLease('LEASE-1-aaaaaaaa'), undefined);
    assert.deepEqual([...directory.entries], []);
  });

  it('leaves no file open', async () => {
    write('{');
    mkdirSync(path.join(active, 'directory.json'));
    write(record(), 'x.json');
    const opened = new Set<number>();
    const openSync = (...parameters: Parameters<FileSystem['openSync']>) => {
      const descriptor = nodeFileSystem.openSync(...parameters);
      opened.add(descriptor);
      return descriptor;
    };
    const closeSync = (descriptor: number) => {
      opened.delete(descriptor);
      nodeFileSystem.closeSync(descriptor);
    };
    const entries = await readAll(open({ ...failing('readFileSync', 'EIO'), openSync, closeSync }));
    assert.equal(entries.length, 3);
    assert.deepEqual([...opened], []);
  });
});
