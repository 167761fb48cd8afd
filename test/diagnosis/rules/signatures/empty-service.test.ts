import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Surroundings } from '../../../../src/diagnosis/case.ts';
import type { Meaning } from '../../../../src/diagnosis/corrections/meaning.ts';
import { emptyService, ofService } from '../../../../src/diagnosis/rules/signatures/empty-service.ts';
import { anInput, type CaseParts } from '../../../support/builders/cases.ts';

const test = suite('a Service without pods');

const LABELS = { app: 'db', tier: 'data' };
const service = (parts: object, more: CaseParts = {}) =>
  anInput({}, {}, { surroundings: { services: [{ name: 'other' }, { name: 'db', selector: LABELS, ...parts }] } as Surroundings, ...more });
const NONE = { selected: { pods: 0, ready: 0 } };
const UNREADY = { selected: { pods: 1, ready: 0 } };
const ALMOST = { ...NONE, almost: { key: 'app', has: 'database' } };

test('no pod has the labels: the selector or the pods are missing', () => {
  assert.equal(emptyService(service(NONE), 'db:5432'), {
    because: 'the Service `db` selects no pods (no pod has the labels `app=db,tier=data`)',
    advice:
      'Correct the selector of the Service `db`, or start the pods that it selects (`app=db,tier=data`): a workload scaled to zero has none.',
    culprit: 'Service db: no pods have app=db,tier=data',
    commands: [],
  });
});

test('pods with another value of one label: the selector is corrected', () => {
  assert.equal(emptyService(service(ALMOST), 'db'), {
    because: 'the Service `db` selects no pods (it wants `app=db`, they have `app=database`)',
    advice: 'Set `spec.selector.app` of the Service `db` to `database`, if these pods are meant; else give the pods the label `app=db`.',
    culprit: 'Service db: selector app=db',
    commands: [`kubectl patch service db --type=merge -p '{"spec":{"selector":{"app":"database"}}}' -n shop`],
    elsewhere: 'The selector of the Service `db` is wrong, or the labels of the pods that it should select. This pod is not.',
  });
});

test('pods that are not ready', () => {
  assert.equal(emptyService(service(UNREADY), 'db.shop.svc:5432'), {
    because: 'no pod of the Service `db` is ready',
    advice: 'Find out why the pods of the Service `db` (`app=db,tier=data`) are not ready: until then it leads nowhere.',
    culprit: 'db.shop.svc:5432',
    commands: [],
  });
});

const QUIET: Record<string, [input: ReturnType<typeof service>, address: string]> = {
  'a Service with a ready pod': [service({ selected: { pods: 2, ready: 1 } }), 'db'],
  'unknown pods': [service({}), 'db'],
  'no such Service': [service(NONE), 'dbs:5432'],
  'a Service of another namespace': [service(NONE), 'db.other.svc'],
  'a pod that waits for itself': [service(UNREADY, { labels: { ...LABELS, more: 'x' } }), 'db'],
};
for (const [what, [input, address]] of Object.entries(QUIET))
  test(`not for ${what}`, () => assert.is(emptyService(input, address), undefined));

test('a pod with some of the labels does not wait for itself, and one with all may lack pods', () => {
  assert.ok(emptyService(service(UNREADY, { labels: { app: 'db' } }), 'db'));
  assert.ok(emptyService(service(NONE, { labels: LABELS }), 'db'));
});

const MEANING: Meaning = {
  because: 'nothing answers',
  culprit: 'db:5432',
  advice: ['Look.'],
  commands: ['kubectl get pods'],
  whereToLook: 'there',
};

test('the meaning of a line says what is wrong with the Service, and asks about the Service first', () => {
  const { because, advice, culprit, commands = [], elsewhere, whereToLook } = ofService(service(ALMOST), 'db', MEANING);
  assert.is(because, 'nothing answers: the Service `db` selects no pods (it wants `app=db`, they have `app=database`)');
  assert.is(culprit, 'Service db: selector app=db');
  assert.equal([advice.length, advice[1], commands.length, commands[1]], [2, 'Look.', 2, 'kubectl get pods']);
  assert.is(whereToLook, 'there');
  assert.match(elsewhere ?? '', 'This pod is not');
});

test('without a fault of the Service the meaning stays', () => {
  assert.is(ofService(service({}), 'db', MEANING), MEANING);
  assert.not('elsewhere' in ofService(service(NONE), 'db', { ...MEANING, commands: undefined } as unknown as Meaning));
});

test.run();
