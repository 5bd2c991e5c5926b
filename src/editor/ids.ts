/** Names that package.json contributes; a unit test holds the two together. */
export const EXTENSION_ID = 'leasehold.leasehold';
export const CONTAINER_ID = 'leasehold';

export const VIEWS = {
  activeLeases: 'leasehold.activeLeases',
  blockers: 'leasehold.blockers',
  needsAttention: 'leasehold.needsAttention',
  activity: 'leasehold.activity',
} as const;

export const COMMANDS = {
  chooseHome: 'leasehold.chooseHome',
  commit: 'leasehold.commit',
  copyRecord: 'leasehold.copyRecord',
  explain: 'leasehold.explain',
  openRecord: 'leasehold.openRecord',
  refresh: 'leasehold.refresh',
  showBlocker: 'leasehold.showBlocker',
  showLog: 'leasehold.showLog',
} as const;

export type CommandName = (typeof COMMANDS)[keyof typeof COMMANDS];

/** Why the tree of active leases is empty; welcome views are chosen by it. */
export const EMPTY_REASON_KEY = 'leasehold.emptyReason';

export const STATUS_ITEM = { id: 'leasehold.status', name: 'Leases' } as const;
