import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { specShown } from '../../../src/models/policy/plain-spec.ts';

const plain = suite('a spec as a model sees it');

const aPod = (spec: object): KubeObject => ({ kind: 'Pod', metadata: { name: 'web' }, spec }) as KubeObject;
const app = { name: 'app', image: 'web:1' };
const proxy = { name: 'proxy', image: 'proxy:1' };
const LONGEST = 24_000;
/** A container `app` of a size that gives its spec, together with `others`, this many characters. */
const filling = (characters: number, ...others: object[]): object => {
  const around = JSON.stringify({ containers: [{ ...app, args: [''] }, ...others] }).length;
  return { ...app, args: ['x'.repeat(characters - around)] };
};

const CASES: [sentence: string, spec: object, expected: unknown][] = [
  ['a spec as its author wrote it', { containers: [app] }, { containers: [app] }],
  [
    'without defaults',
    { containers: [{ ...app, terminationMessagePolicy: 'File' }], dnsPolicy: 'ClusterFirst', priority: 0 },
    { containers: [app] },
  ],
  ['with values that are not the default', { containers: [app], dnsPolicy: 'None' }, { containers: [app], dnsPolicy: 'None' }],
  [
    'without the token of the service account',
    { containers: [app], volumes: [{ name: 'kube-api-access-x' }, { name: 'data' }], serviceAccount: 'a', nodeName: 'n' },
    { containers: [app], volumes: [{ name: 'data' }] },
  ],
  [
    'without the default tolerations',
    { containers: [app], tolerations: [{ key: 'node.kubernetes.io/not-ready', tolerationSeconds: 300 }, { key: 'gpu' }] },
    { containers: [app], tolerations: [{ key: 'gpu' }] },
  ],
  [
    'everything of a spec with the greatest length',
    { containers: [filling(LONGEST, proxy), proxy] },
    { containers: [filling(LONGEST, proxy), proxy] },
  ],
  ['only the container of a longer spec', { containers: [filling(LONGEST), proxy] }, { containers: [filling(LONGEST)] }],
  ['nothing of a longer container', { containers: [filling(LONGEST + 1), proxy] }, null],
];
for (const [sentence, spec, expected] of CASES) plain(sentence, () => assert.equal(specShown(aPod(spec), 'app'), expected));

plain('without an object nothing', () => assert.is(specShown(undefined, 'app'), null));

plain.run();
