import { leaseSchema } from '../../src/core/leases/leaseRecord';
import { jsonText } from '../../src/core/storage/atomicJson';
import { parseRecord } from '../../src/core/storage/recordFile';
import { agreement } from './agreement';
import type { CheckVector } from './kinds';

/** Every lease of a tree is read whole, and written again by us it is the same file to the byte. */
const leasesOfTree: CheckVector = vector => {
  const { files } = vector as { files: Record<string, string> };
  const leases = Object.entries(files).filter(([file]) => /\/leases\/active\/[^/]+\.json$/.test(file));
  for (const [file, text] of leases) {
    const read = parseRecord(text, leaseSchema);
    const ours = read.kind === 'record' ? jsonText(read.record) : read;
    const difference = agreement(ours, text);
    if (difference) return `${file}: ${difference}`;
  }
  return undefined;
};

export const treeKinds: readonly (readonly [string, CheckVector])[] = [
  ['tree-lease', leasesOfTree],
  ['tree-gate', leasesOfTree],
];
