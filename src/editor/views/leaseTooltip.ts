import { holderName } from '../../core/leases/holderName';
import type { LeaseFile } from '../../core/leases/leaseDirectory';
import { resourceWords } from '../../core/leases/resourceWords';
import { plainText } from '../../core/plainText';
import type { Liveness, ProcessProbe } from '../../core/process/liveness';
import { timeOfDay } from '../../core/timeOfDay';
import { ownerProcessId } from './owner';
import type { Tooltip } from './row';
import { ageText, timeLeft } from './timeLeft';

/** The whole record, readable. */
export function leaseTooltip({ record, resource, file }: LeaseFile, now: number, probe: ProcessProbe): Tooltip {
  const identity = record.ownerIdentity;
  const when = (iso: string) => {
    const at = Date.parse(iso);
    return `${timeOfDay(at, now)} (${ageText(now - at)} ago)`;
  };
  const expires = Date.parse(record.expiresAt);
  const lines: [string, string | undefined][] = [
    ['Resource', record.resourceKey],
    ['Mode', record.mode],
    ['Owner', record.ownerJobId],
    ['Owner process', livenessWords(identity?.controllerInstanceId, probe)],
    ['Fencing token', String(record.fencingToken)],
    ['Acquired', when(record.acquiredAt)],
    ['Heartbeat', when(record.heartbeatAt)],
    ['Expires', `${timeOfDay(expires, now)} (${timeLeft(expires - now).text})`],
    ['Visibility', record.visibility ?? 'durable'],
    ['Repository', identity?.repositoryId ?? record.repoId],
    ['Checkout', identity?.checkoutId ?? record.checkoutId],
    ['Worktree', identity?.worktreeId],
    ['Branch', identity?.branch],
    ['Principal', identity?.principalId],
    ['Controller instance', identity?.controllerInstanceId],
    ['Controller generation', identity?.controllerGeneration],
    ['Identity digest', record.ownerIdentityDigest],
    ['Work', record.workId],
    ['Lease', record.leaseId],
    ['File', file],
  ];
  return {
    title: `${resourceWords(resource)} held by ${holderName(record.ownerJobId)}`,
    lines: lines.flatMap(([name, value]) => (value === undefined ? [] : [[name, plainText(value, 300)] as const])),
  };
}

const WORDS: Readonly<Record<Liveness, (processId: number) => string>> = {
  alive: processId => `${processId} is running`,
  dead: processId => `there is no process ${processId} on this machine`,
  unknown: processId => `whether ${processId} is alive cannot be told`,
};

function livenessWords(controllerInstanceId: string | undefined, probe: ProcessProbe): string {
  const processId = ownerProcessId(controllerInstanceId);
  return processId === undefined ? 'not named, so whether it is alive is unknown' : WORDS[probe(processId)](processId);
}
