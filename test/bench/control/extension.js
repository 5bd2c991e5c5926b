// The least that a tree can do with the same event: the names in one directory. What it takes is VS Code's own share.
const fs = require('node:fs');
const vscode = require('vscode');

/** As in the extension under test: events of one write are gathered, and a tree that is told more often starves. */
const GATHER_MS = 10;
const LEAST_GAP_MS = 250;

exports.activate = context => {
  const directory = process.env.LEASEHOLD_BENCH_DIRECTORY;
  const changed = new vscode.EventEmitter();
  let lastTold = 0;
  let timer;
  const tell = () => {
    timer = undefined;
    lastTold = performance.now();
    changed.fire(undefined);
  };
  const names = () => fs.readdirSync(directory).filter(name => name.endsWith('.json'));
  const tree = {
    onDidChangeTreeData: changed.event,
    getTreeItem: name => Object.assign(new vscode.TreeItem(name), { id: name }),
    getChildren: name => (name === undefined ? names() : []),
  };
  const watcher = fs.watch(directory, (_event, name) => {
    if (!name?.endsWith('.json') || timer) return;
    timer = setTimeout(tell, Math.max(lastTold + LEAST_GAP_MS - performance.now(), GATHER_MS));
  });
  context.subscriptions.push(vscode.window.registerTreeDataProvider('control.tree', tree));
  context.subscriptions.push({ dispose: () => watcher.close() });
};
