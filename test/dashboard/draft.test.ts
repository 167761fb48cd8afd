import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { draftOf, keepDraft } from '../../src/dashboard/incident/draft.ts';

const test = suite('drafts of manifests');

/** A new tab: an empty sessionStorage with the methods that drafts use. */
function openTab(): void {
  const kept = new Map<string, string>();
  const sessionStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  };
  Object.defineProperty(globalThis, 'sessionStorage', { value: sessionStorage, configurable: true });
}

test('a draft belongs to one person and one record', () => {
  openTab();
  keepDraft(1, 12, 'kind: Pod');
  assert.is(draftOf(1, 12), 'kind: Pod');
  assert.is(draftOf(2, 12), undefined, 'somebody else in the same tab');
  assert.is(draftOf(11, 2), undefined);
  assert.is(draftOf(1, 1), undefined);
  keepDraft(2, 12, undefined);
  assert.is(draftOf(1, 12), 'kind: Pod');
  keepDraft(1, 12, undefined);
  assert.is(draftOf(1, 12), undefined);
});

test('without storage there is no draft, and no error', () => {
  const sessionStorage = {
    getItem() {
      throw new Error('not allowed');
    },
  };
  Object.defineProperty(globalThis, 'sessionStorage', { value: sessionStorage, configurable: true });
  keepDraft(1, 12, 'kind: Pod');
  assert.is(draftOf(1, 12), undefined);
});

test.run();
