import { holders } from '../../core/gate/refusalSentence';
import { holderName } from '../../core/leases/holderName';
import { parseResource } from '../../core/leases/resource';
import { resourceWords } from '../../core/leases/resourceWords';
import type { LeasePicture } from '../../core/picture/leasePicture';
import { plainText } from '../../core/plainText';
import type { Refusal, RunningOperation } from '../gateState';
import { ageText } from './timeLeft';

export interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  /** For screen readers, without icons. */
  readonly spoken: string;
  readonly warning: boolean;
}

/** The status bar's one item; undefined when there is nothing to say. */
export function statusText(
  picture: LeasePicture,
  operations: readonly RunningOperation[],
  refusals: readonly Refusal[],
  now: number,
): StatusText | undefined {
  const [running] = operations;
  if (running) {
    const words = `${running.operation}, ${ageText(now - running.since)}`;
    const where = plainText(running.repository, 60);
    const tooltip = `Your ${running.operation} in ${where} runs under a lease.`;
    return { text: `$(sync~spin) ${words}`, tooltip, spoken: tooltip, warning: false };
  }
  const [refusal] = refusals;
  if (refusal) {
    const words = blockerWords(refusal);
    return { text: `$(warning) ${words}`, tooltip: refusal.sentence, spoken: refusal.sentence, warning: true };
  }
  const held = picture.repositories.reduce((sum, { leases }) => sum + leases.length, 0);
  if (held === 0) return undefined;
  const tooltip = held === 1 ? '1 lease is held in the open folders.' : `${held} leases are held in the open folders.`;
  return { text: `$(lock) ${held}`, tooltip, spoken: tooltip, warning: false };
}

function blockerWords({ blockers }: Refusal): string {
  const [first, ...others] = holders(blockers);
  const [lease] = first ?? [];
  if (!lease) return 'a lease file cannot be read';
  const words = `${plainText(holderName(lease.ownerJobId), 30)} holds ${resourceWords(parseResource(lease.resourceKey))}`;
  return others.length === 0 ? words : `${words} (and ${others.length} more)`;
}
