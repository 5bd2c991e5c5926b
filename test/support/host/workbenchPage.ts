import type { Locator, Page } from 'playwright-core';

export interface ShownRow {
  readonly label: string;
  readonly description: string;
  readonly level: number;
  readonly expanded: string | null;
  readonly spoken: string;
}

/** What tests do in a window of VS Code, by ids and roles that stay the same from version to version. */
export class WorkbenchPage {
  constructor(readonly page: Page) {}

  /** The workbench is drawn. */
  async ready(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 30_000 });
  }

  /** `id` as the extension gives it to its status-bar item. */
  status(id: string): Locator {
    return this.page.locator(`.statusbar-item[id="leasehold.leasehold.${id}"]`);
  }

  async statusText(id: string): Promise<string> {
    return (await this.status(id).innerText()).replace(/\s+/g, ' ').trim();
  }

  /** Loads the window again, as "Developer: Reload Window" does. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** Shows a view container; does not hide the one that is shown already. */
  async openContainer(title: string): Promise<void> {
    const label = this.page.locator(`.action-label[aria-label^="${title}"]`);
    const tab = this.page.locator('.part.activitybar [role=tab]').filter({ has: label });
    if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
  }

  tree(view: string): Locator {
    return this.page.locator(`[role=tree][aria-label="${view}"]`);
  }

  row(view: string, label: string): Locator {
    const exact = new RegExp(`^${escaped(label)}$`);
    return this.tree(view)
      .locator('.monaco-list-row')
      .filter({ has: this.page.locator('.label-name', { hasText: exact }) });
  }

  async rows(view: string): Promise<ShownRow[]> {
    return await this.tree(view)
      .locator('.monaco-list-row')
      .evaluateAll(rows =>
        rows
          .sort((a, b) => Number(a.getAttribute('data-index')) - Number(b.getAttribute('data-index')))
          .map(row => ({
            label: row.querySelector('.label-name')?.textContent ?? '',
            description: row.querySelector('.label-description')?.textContent ?? '',
            level: Number(row.getAttribute('aria-level')),
            expanded: row.getAttribute('aria-expanded'),
            spoken: row.getAttribute('aria-label') ?? '',
          })),
      );
  }

  async expand(view: string, label: string): Promise<void> {
    const row = this.row(view, label);
    if ((await row.getAttribute('aria-expanded')) === 'false') await row.locator('.monaco-tl-twistie').click();
  }

  /** Clicks one of the buttons that a row shows under the mouse. */
  async rowAction(view: string, label: string, action: string): Promise<void> {
    const row = this.row(view, label);
    await row.hover();
    await row.getByRole('button', { name: action }).click();
  }

  /** Clicks one of the buttons in the header of a view. */
  async viewAction(view: string, action: string): Promise<void> {
    const pane = this.pane(view);
    await pane.hover();
    await pane.locator('.pane-header').getByRole('button', { name: action }).click();
  }

  /** Chooses from the context menu of something. The menu lies in a shadow root, which Playwright sees through. */
  async contextMenu(target: Locator, item: string): Promise<void> {
    const menu = this.page.locator('.monaco-menu');
    await target.click({ button: 'right' });
    const choice = menu.getByRole('menuitem', { name: item });
    await choice.waitFor();
    // VS Code ignores the mouse for 100 ms after it opens a menu, and nothing in the page tells when they are over.
    await this.page.waitForTimeout(150);
    await choice.click();
    await menu.waitFor({ state: 'detached' });
  }

  /** Runs a command from the palette by its whole title ("Leases: Refresh"). */
  async run(title: string): Promise<void> {
    const input = this.quickInput().locator('input').first();
    await this.page.keyboard.press('F1');
    await input.fill(`>${title}`);
    await this.option(title).click();
    await this.page
      .locator('.quick-input-widget:visible input[placeholder="Type the name of a command to run."]')
      .waitFor({ state: 'detached' });
  }

  async pick(label: string): Promise<void> {
    const option = this.option(label);
    await option.click();
    await option.waitFor({ state: 'detached' });
  }

  async type(text: string): Promise<void> {
    const box = this.quickInput().locator('input[type=text]').first();
    await box.fill(text);
    await box.press('Enter');
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  notification(text: string): Locator {
    return this.page.locator('.notification-toast .notification-list-item').filter({ hasText: text });
  }

  async answer(text: string, button: string): Promise<void> {
    const notification = this.notification(text);
    await notification.getByRole('button', { name: button, exact: true }).click();
    await notification.waitFor({ state: 'detached' });
  }

  modal(): Locator {
    return this.page.locator('.monaco-dialog-box[role=dialog]');
  }

  /** Answers the modal dialog and returns what it said. */
  async answerModal(button: string): Promise<string> {
    const modal = this.modal();
    const text = await modal.locator('.dialog-message-container').innerText();
    await modal.locator('.dialog-buttons').getByRole('button', { name: button, exact: true }).click();
    await modal.waitFor({ state: 'detached' });
    return text.trim();
  }

  /** The text of what appears when the mouse rests on something, as soon as it fits `wanted`. */
  async hover(target: Locator, wanted: RegExp): Promise<string> {
    const hover = this.page.locator('.monaco-hover:visible').filter({ hasText: wanted }).last();
    for (let attempt = 1; ; attempt++) {
      // The first hover after a change of layout can show what was there before: leave and come back.
      await this.page.mouse.move(700, 500);
      await target.hover();
      try {
        await hover.waitFor({ timeout: 3_000 });
        return (await hover.innerText()).trim();
      } catch (error) {
        if (attempt === 3) throw error;
      }
    }
  }

  /** The text of an empty view. */
  welcome(view: string): Locator {
    return this.pane(view).locator('.welcome-view-content');
  }

  async screenshot(file: string): Promise<void> {
    await this.page.mouse.move(640, 790);
    await this.page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  }

  private pane(view: string): Locator {
    return this.page.locator('.pane').filter({ has: this.page.locator(`.pane-header[aria-label^="${view}"]`) });
  }

  private quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible');
  }

  private option(label: string): Locator {
    return this.quickInput()
      .getByRole('option', { name: new RegExp(`^${escaped(label)}(,|$)`) })
      .first();
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
