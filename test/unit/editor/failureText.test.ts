import assert from 'node:assert/strict';
import { LeaseError } from '../../../src/core/leaseError';
import { failureText } from '../../../src/editor/failureText';

describe('why something failed', () => {
  it('is what git or a hook said last', () => {
    const error = Object.assign(new Error('Failed to execute git'), { stderr: 'checking...\nA key was found.\n\n' });
    assert.equal(failureText(error), 'A key was found');
  });

  it('is a sentence for a code of ours, without the code', () => {
    const text = failureText(new LeaseError('STORAGE_FAILED', '/h/x.json could not be written (ENOSPC).'));
    assert.equal(text, 'the controller home could not be written');
  });

  it('is the message of any other error, as plain text', () => {
    assert.equal(failureText(new Error('no\n[x](command:y).')), 'no [x] (command:y)');
    assert.equal(failureText('nothing'), 'nothing');
  });
});
