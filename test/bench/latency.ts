import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { TestHome } from '../support/controllerHome';

/** When each change was on screen, in milliseconds after the lease file got its name. */
export interface Latencies {
  readonly ours: readonly number[];
  readonly control: readonly number[];
  /** Changes that one of the two never showed. */
  readonly missed: number;
}

/** Notes in the page, whose clock is the machine's, when a text is first drawn in either tree. */
export async function watchTrees(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const seen = (window.leaseholdSeen = {});
    const scan = () => {
      for (const element of document.querySelectorAll('[role=tree] .label-name')) seen[element.textContent] ??= Date.now();
    };
    new MutationObserver(scan).observe(document.body, { subtree: true, childList: true, characterData: true });
    scan();
  })()`);
}

/** Writes a new lease every \`everyMs\`, and takes away those beyond the newest \`kept\`. */
export async function measure(
  page: Page,
  home: TestHome,
  name: string,
  count: number,
  everyMs: number,
  kept: number,
): Promise<Latencies> {
  const written: { label: string; file: string; at: number }[] = [];
  const start = performance.now();
  for (let index = 0; index < count; index++) {
    const old = written[index - kept];
    if (old) home.remove(old.file);
    const label = `${name}/${index}`;
    const file = home.writeLease({ resourceKey: `path:${home.checkoutId}:${label}`, timeToLiveMs: 600_000 });
    written.push({ label, file, at: Date.now() });
    await sleep(Math.max(start + (index + 1) * everyMs - performance.now(), 0));
  }
  // The last changes may still be on their way to the screen.
  await sleep(1_000);
  for (const { file } of written.slice(-kept)) home.remove(file);
  const seen = await page.evaluate<Record<string, number>>('window.leaseholdSeen');
  const ours: number[] = [];
  const control: number[] = [];
  for (const { label, file, at } of written) {
    const [oursAt, controlAt] = [seen[label], seen[file.replace(/^.*\//, '')]];
    if (oursAt !== undefined) ours.push(oursAt - at);
    if (controlAt !== undefined) control.push(controlAt - at);
  }
  return { ours, control, missed: count - Math.min(ours.length, control.length) };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(Math.ceil(sorted.length * share), sorted.length) - 1] ?? Number.NaN;
}
