/** `[user@]host:path`, git's short form of an ssh address; a host in brackets is not one. */
const SCP_FORM = /^(?:[^@/\\:\s]+@)?([^@/\\:\s[\]]+):(.+)$/s;

/**
 * One spelling for all addresses of a remote, `host[:port]/path` in lower case without user, query and `.git`; undefined
 * where an address names no host or no path. Text that is no address is only made even.
 */
export function canonicalRemote(remote: string): string | undefined {
  const text = remote.trim();
  if (text === '') return undefined;
  const address = text.includes('://') ? text : text.replace(SCP_FORM, addressOfScp);
  try {
    const url = new URL(address);
    const path = even(decodeURIComponent(url.pathname)).replace(/^\/+/, '');
    return url.host === '' || path === '' ? undefined : `${url.host.toLowerCase()}/${path}`;
  } catch {
    return even(text);
  }
}

function addressOfScp(whole: string): string {
  const at = whole.indexOf('@') + 1;
  const colon = whole.indexOf(':', at);
  return `ssh://${whole.slice(0, colon)}/${whole.slice(colon + 1)}`;
}

function even(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .toLowerCase();
}
