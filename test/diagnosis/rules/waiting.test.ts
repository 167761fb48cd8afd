import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContainerEvidence } from '../../../src/contract/failure.ts';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import { aCase, aPodManifest } from '../../support/builders/cases.ts';

const waiting = suite('pods that wait, and pods that were evicted');

const init: ContainerEvidence = { name: 'migrate', kind: 'init', state: 'running', ready: false };
const app: ContainerEvidence = { name: 'app', kind: 'app', state: 'waiting', reason: 'PodInitializing', ready: false };
const summaryFor = (container: string | null): string =>
  diagnose(aCase({ failure_reason: 'PodInitializing', container, container_statuses: [init, app], manifest: aPodManifest() })).summary;

waiting('an init container that runs is the cause when the case names it, or no container', () => {
  assert.match(summaryFor('migrate'), 'Init container `migrate` runs and does not end');
  assert.match(summaryFor(null), 'Init container `migrate` runs and does not end');
});
waiting('it is not the cause when the case names another container', () => {
  assert.not.match(summaryFor('app'), 'does not end');
});

const EVICTIONS: [reason: string, message: string, says: RegExp][] = [
  ['TaintManagerEviction', 'Taint manager deletes the pod', /its node got a taint that it does not tolerate/],
  ['EvictionByEvictionAPI', 'Eviction API: evicting', /somebody requested its eviction/],
  [
    'Evicted',
    'Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ',
    /their `ephemeral-storage` limits allow \(`1Gi` in all\)/,
  ],
  ['Evicted', 'Usage of EmptyDir volume "tmp" exceeds the limit "1Gi". ', /volume `tmp` grew beyond its size limit `1Gi`/],
  [
    'Evicted',
    'Container app exceeded its local ephemeral storage limit "1Gi". ',
    /container `app` wrote more to the disk of the node than its `ephemeral-storage` limit of `1Gi`/,
  ],
  [
    'Evicted',
    'The node was low on resource: memory. Container app was using 500Mi, request is 100Mi, has larger consumption of memory. ',
    /container `app` used `500Mi`, more than it requested/,
  ],
];
for (const [reason, message, says] of EVICTIONS)
  waiting(`${reason}: ${message}`, () =>
    assert.match(diagnose(aCase({ failure_reason: reason, failure_message: message, container: null })).summary, says),
  );
waiting.run();
