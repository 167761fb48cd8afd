import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fieldSelector, labelSelector, matchesSelector, meetsAll } from '../../../src/sandbox/store/selectors.ts';
import type { Stored } from '../../../src/sandbox/store/object.ts';

const test = suite('selectors of the sandbox');

const LABELS = { app: 'web', tier: 'front', size: '7' };
const object = (more: object = {}): Stored =>
  ({ metadata: { name: 'web', namespace: 'shop', labels: LABELS }, ...more }) as unknown as Stored;

const LABEL_CASES: [selector: string, is: boolean][] = [
  ['', true],
  ['app=web', true],
  ['app==web', true],
  ['app=api', false],
  ['app!=api', true],
  ['app!=web', false],
  ['nope!=x', true],
  ['app', true],
  ['nope', false],
  ['!nope', true],
  ['!app', false],
  ['app in (api,web)', true],
  ['app in (api)', false],
  ['nope in (web)', false],
  ['app notin (api)', true],
  ['app notin (web)', false],
  ['nope notin (web)', true],
  ['app=web,tier=front', true],
  ['app=web,tier=back', false],
];
for (const [selector, is] of LABEL_CASES) test(`labels: ${selector || 'nothing'}`, () => assert.is(labelSelector(selector)(object()), is));

const REQUIREMENTS: [key: string, operator: string, values: string[] | undefined, is: boolean][] = [
  ['size', 'Gt', ['6'], true],
  ['size', 'Gt', ['7'], false],
  ['size', 'Lt', ['8'], true],
  ['size', 'Lt', ['7'], false],
  ['nope', 'Gt', ['0'], false],
  ['nope', 'Lt', ['9'], false],
  ['app', 'In', undefined, false],
  ['app', 'NotIn', undefined, true],
];
for (const [key, operator, values, is] of REQUIREMENTS)
  test(`${key} ${operator} ${values?.join() ?? 'nothing'}`, () =>
    assert.is(meetsAll(LABELS, [{ key, operator: operator as 'Gt', ...(values && { values }) }]), is));

test('an empty selector means everything, an absent one nothing', () => {
  assert.equal([matchesSelector({}, {}), matchesSelector(undefined, LABELS), matchesSelector({}, undefined)], [true, false, true]);
  const both = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'In', values: ['back'] }] };
  assert.is(matchesSelector(both, LABELS), false);
  assert.is(matchesSelector({ matchLabels: { app: 'api' } }, LABELS), false);
});

const POD = { kind: 'Pod', group: '' };
const FIELD_CASES: [selector: string, kind: Parameters<typeof fieldSelector>[1], of: Stored, is: boolean][] = [
  ['metadata.name=web', POD, object(), true],
  ['metadata.name!=web', POD, object(), false],
  ['metadata.name==web,metadata.namespace=bank', POD, object(), false],
  ['spec.nodeName=', POD, object({ spec: {} }), true],
  ['spec.nodeName=n', POD, object({ spec: { nodeName: 'n' } }), true],
  ['status.phase!=Failed', POD, object({ status: { phase: 'Running' } }), true],
  ['spec.unschedulable=false', { kind: 'Node', group: '' }, object({ spec: {} }), true],
  ['spec.unschedulable=true', { kind: 'Node', group: '' }, object({ spec: { unschedulable: true } }), true],
  ['source=kubelet', { kind: 'Event', group: '' }, object({ source: { component: 'kubelet' } }), true],
  ['source=kubelet', { kind: 'Event', group: '' }, object({ source: {}, reportingComponent: 'kubelet' }), true],
  ['regarding.name=web', { kind: 'Event', group: 'events.k8s.io' }, object({ involvedObject: { name: 'web' } }), true],
  ['metadata.name=a\\,b', POD, { metadata: { name: 'a,b' } } as unknown as Stored, true],
];
for (const [selector, kind, of, is] of FIELD_CASES)
  test(`fields of a ${kind.kind}: ${selector}`, () => assert.is(fieldSelector(selector, kind)(of), is));

test('a field that nobody can select is refused', () => {
  assert.throws(() => fieldSelector('spec.nope=x', POD), /field label not supported: spec.nope/);
  assert.throws(() => fieldSelector('spec.nope=x', { kind: 'ConfigMap', group: '' }), /is not a known field selector/);
  assert.throws(() => fieldSelector('spec.nope', POD), /can't understand/);
  assert.throws(() => fieldSelector('spec.color=x', { kind: 'Widget', group: 'example.org', isCustom: true }), /not supported/);
});

test.run();
