/** A resource key taken apart. Only these kinds meet keys other than their equal. */
export type Resource =
  | { readonly kind: 'release'; readonly key: string }
  | { readonly kind: 'content'; readonly key: string }
  | { readonly kind: 'workspace'; readonly key: string; readonly checkoutId: string }
  | { readonly kind: 'index'; readonly key: string; readonly checkoutId: string }
  | { readonly kind: 'head'; readonly key: string; readonly checkoutId: string }
  | { readonly kind: 'ref'; readonly key: string; readonly ref: string }
  | { readonly kind: 'path'; readonly key: string; readonly checkoutId?: string; readonly path: string }
  | { readonly kind: 'other'; readonly key: string };

export type ResourceKind = Resource['kind'];

/** Spelling of an older version of the protocol; the mode of the claim stays as given. */
const LEGACY_WORKSPACE = 'workspace-read:';

const PREFIXES = {
  'release:': (key, _rest): Resource => ({ kind: 'release', key }),
  'workspace:': (key, rest): Resource => ({ kind: 'workspace', key, checkoutId: rest }),
  'git-index:': (key, rest): Resource => ({ kind: 'index', key, checkoutId: rest }),
  'git-head:': (key, rest): Resource => ({ kind: 'head', key, checkoutId: rest }),
  'git-ref:': (key, rest): Resource => ({ kind: 'ref', key, ref: rest }),
  'git-refs:': (key, rest): Resource => ({ kind: 'ref', key, ref: rest }),
  'path:': (key, rest): Resource => ({ kind: 'path', key, ...parsePath(rest) }),
} as const satisfies Record<string, (key: string, rest: string) => Resource>;

export function parseResource(resourceKey: string): Resource {
  const trimmed = resourceKey.trim();
  const key = trimmed.startsWith(LEGACY_WORKSPACE) ? `workspace:${trimmed.slice(LEGACY_WORKSPACE.length)}` : trimmed;
  if (key === 'repo-content:*') return { kind: 'content', key };
  const colon = key.indexOf(':') + 1;
  const make = PREFIXES[key.slice(0, colon) as keyof typeof PREFIXES];
  return make ? make(key, key.slice(colon)) : { kind: 'other', key };
}

/**
 * `<checkout>:<relative>` or `<relative>`. A leading `./` is cut before the path is taken, but not before the checkout
 * is: `./c1:src` names the path `src` in no particular checkout.
 */
function parsePath(rest: string): { checkoutId?: string; path: string } {
  const checkoutId = splitCheckout(rest)?.checkoutId;
  const value = rest.replace(/^\.\//, '');
  const path = (splitCheckout(value)?.path ?? value).replace(/^\.\//, '');
  return checkoutId === undefined ? { path } : { checkoutId, path };
}

/** A first part that holds `/` or `.` is a path, not a checkout. */
function splitCheckout(value: string): { checkoutId: string; path: string } | undefined {
  const colon = value.indexOf(':');
  const checkoutId = value.slice(0, Math.max(colon, 0));
  return colon < 0 || /[/.]/.test(checkoutId) ? undefined : { checkoutId, path: value.slice(colon + 1) };
}
