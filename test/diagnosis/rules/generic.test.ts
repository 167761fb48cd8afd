import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { generic } from '../../../src/diagnosis/rules/generic.ts';
import { aCase, type CaseParts } from '../../support/builders/cases.ts';

const test = suite('the answer to a failure that no rule knows');

const of = (parts: CaseParts) => generic(aCase({ failure_reason: 'Odd', ...parts }));
const event = (type: string, message: string) => ({ type, reason: 'Failed', message });

test('it quotes the message of the pod, and where to look', () =>
  assert.equal(of({ failure_message: 'it broke', events: [event('Warning', 'late')] }), {
    summary: 'The pod `web` fails with `Odd`: `it broke`.',
    evidence: ['status: it broke'],
    culprit: 'it broke',
    advice: ['Read the events and the logs of the last run. The first error in them is usually the cause.'],
    commands: ['kubectl describe pod web -n shop', 'kubectl logs web -n shop --all-containers --tail=100'],
    corrections: [],
    noCorrection: {
      why: 'The report does not say enough to name a field that is wrong.',
      whereToLook: 'the events of the pod and of its node, and the logs of the containers',
      isOpen: true,
    },
  }));

for (const [sentence, events, said] of [
  ['the last one counts', [event('Warning', 'first'), event('Warning', 'last')], 'last'],
  ['an event that warns of nothing does not count', [event('Warning', 'first'), event('Normal', 'started')], 'first'],
  ['an event without a message does not count', [event('Warning', 'first'), event('Warning', '')], 'first'],
  ['only normal ones', [event('Normal', 'started')], ''],
  ['no event', [], ''],
] as const)
  test(`without a message it quotes a warning: ${sentence}`, () => {
    const { summary, culprit, evidence } = of({ events: [...events] });
    assert.is(summary, `The pod \`web\` fails with \`Odd\`${said ? `: \`${said}\`` : ''}.`);
    assert.equal([culprit, evidence], said ? [said, [`status: ${said}`]] : [null, []]);
  });

test('the kind of a workload is in small letters, and a workload has no logs', () => {
  const { summary, commands } = of({ resource_kind: 'ReplicaSet', pod_name: 'web-5' });
  assert.is(summary, 'The replicaset `web-5` fails with `Odd`.');
  assert.equal(commands, ['kubectl describe replicaset web-5 -n shop']);
});

test('a shell takes each name for one word', () =>
  assert.equal(of({ pod_name: 'a b', namespace: 'x;y' }).commands, [
    "kubectl describe pod 'a b' -n 'x;y'",
    "kubectl logs 'a b' -n 'x;y' --all-containers --tail=100",
  ]));

test.run();
