import { plainText } from '../plainText';

/** Owner ids of Leasehold's own gates: `fast:leasehold-<operation>-<uuid>`. */
const OWN_GATE = /^fast:leasehold-([a-z]+)-[0-9a-f-]{36}$/;

/** An owner as a sentence or a row names it. */
export function holderName(ownerJobId: string): string {
  const operation = OWN_GATE.exec(ownerJobId)?.[1];
  if (operation !== undefined) return `a ${operation} in another window`;
  return plainText(ownerJobId, 60) || 'an unnamed owner';
}
