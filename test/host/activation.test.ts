import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, EXTENSION_ID } from '../../src/editor/ids';
import { openScenario } from './scenario';

describe('activation', () => {
  it('runs in the extension host of VS Code 1.100 or later, on Node 20 or later', async () => {
    await openScenario();
    assert.equal(vscode.extensions.getExtension(EXTENSION_ID)?.isActive, true);
    assert.ok(Number(process.versions.node.split('.')[0]) >= 20);
  });

  it('registers every command that it contributes', async () => {
    await openScenario();
    const registered = await vscode.commands.getCommands(true);
    assert.deepEqual(
      Object.values(COMMANDS).filter(command => !registered.includes(command)),
      [],
    );
  });
});
