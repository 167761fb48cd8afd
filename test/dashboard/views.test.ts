import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { queryOfView, searchOfView, storedViews, withoutView, withView } from '../../src/dashboard/incidents/views.ts';

// Saved views of the list of incidents, tested without a browser.

const test = suite('saved views');

test('a view remembers the filters of an address and nothing else, always in the same order', () => {
  const query = queryOfView({ sort: 'name', open: '7', q: 'a & b', list: '', reason: 'OOMKilled', namespace: 'shop' });
  assert.is(query, 'namespace=shop&q=a+%26+b&reason=OOMKilled&sort=name');
  assert.is(queryOfView({ reason: 'OOMKilled', q: 'a & b', namespace: 'shop', sort: 'name' }), query);
  assert.is(queryOfView({ open: '7' }), '');
});

test('a view that is shown takes away the filters that it does not have', () => {
  const { q, reason, ...others } = searchOfView('q=a+%26+b&reason=OOMKilled&open=7&__proto__=x');
  assert.equal([q, reason], ['a & b', 'OOMKilled']);
  assert.equal(Object.keys(others).sort(), ['assignee', 'list', 'namespace', 'order', 'sort', 'status', 'verdict']);
  assert.ok(Object.values(others).every((value) => value === undefined));
});

test('views are sorted by name, and one of the same name is replaced, whatever the case of its letters', () => {
  const views = withView(withView([], { name: 'b', query: 'q=1' }), { name: 'a', query: 'q=2' });
  assert.equal(
    views.map(({ name }) => name),
    ['a', 'b'],
  );
  assert.equal(withView(views, { name: 'B', query: 'q=3' }), [
    { name: 'a', query: 'q=2' },
    { name: 'B', query: 'q=3' },
  ]);
  assert.equal(withoutView(views, 'A'), [{ name: 'b', query: 'q=1' }]);
});

for (const [sentence, text, names] of [
  ['nothing', null, []],
  ['no JSON', '{', []],
  ['another shape', '{"name":"a"}', []],
  ['entries of other shapes', '[null, 7, "x", {"name":"","query":""}, {"name":"a"}, {"name":"b","query":"q=1"}]', ['b']],
] as const)
  test(`what is stored: ${sentence}`, () =>
    assert.equal(
      storedViews(text).map(({ name }) => name),
      [...names],
    ));

test.run();
