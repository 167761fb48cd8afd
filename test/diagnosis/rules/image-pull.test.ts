import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PULL_CAUSES } from '../../../src/diagnosis/facts/image.ts';
import { crash } from '../../../src/diagnosis/rules/crash.ts';
import { imagePull } from '../../../src/diagnosis/rules/image-pull.ts';
import { PULL_CAUSE_MEANINGS } from '../../../src/diagnosis/rules/image-pull/cause-texts.ts';
import { anInput, type CaseParts } from '../../support/builders/cases.ts';
import { tells, type Told } from '../../support/builders/told-by-rule.ts';

const pulls = suite('answers about pulls, and about containers that stay ended');

interface Pod extends CaseParts {
  app?: object;
  spec?: object;
}
const pulled = (why: string, { app = {}, spec = {}, events = [], ...parts }: Pod = {}) =>
  imagePull.answer(
    anInput({ image: 'reg.example/shop/web:1', ...app }, spec, {
      failure_reason: 'ErrImagePull',
      status: {
        state: 'waiting',
        reason: 'ErrImagePull',
        image: 'reg.example/shop/web:1',
        message: `Failed to pull image "reg.example/shop/web:1": ${why}`,
      },
      events,
      ...parts,
    }),
  );
type Row = [sentence: string, answer: ReturnType<typeof imagePull.answer>, expected: Partial<Told> | undefined];
const NOT_FOUND = 'reg.example/shop/web:1: not found';
const NO_LOGIN = 'pull access denied, authorization failed: no basic auth credentials';
const DENIED = 'pull access denied, repository does not exist or may require authorization';
const secrets = (...all: { name: string; type?: string; keys?: string[] }[]) => ({
  surroundings: { secrets: all.map((one) => ({ keys: [], ...one })) },
});
const names = (...all: string[]) => ({ spec: { imagePullSecrets: all.map((name) => ({ name })) } });
const LOGIN = { keys: ['.dockerconfigjson'] };
const GONE = [
  {
    type: 'Warning',
    reason: 'FailedToRetrieveImagePullSecret',
    message: 'Unable to retrieve some image pull secrets (login); attempting to pull the image may not succeed.',
  },
];
const there = { surroundings: { images: ['reg.example/shop/web:1'] } };
const ROWS: Row[] = [
  ['another failure', pulled('', { failure_reason: 'Pending', status: {} }), undefined],
  [
    'no such tag',
    pulled(NOT_FOUND),
    {
      summary:
        'Container `app` cannot start: the image `reg.example/shop/web:1` cannot be pulled, because the registry has no such tag or digest.',
      culprit: 'reg.example/shop/web:1',
      evidence: ['status of container app: Failed to pull image "reg.example/shop/web:1": reg.example/shop/web:1: not found'],
      advice: ['Correct the tag or the repository, or push the image.'],
      commands: ['kubectl describe pod web -n shop', 'skopeo list-tags docker://reg.example/shop/web'],
      corrections: [['guess', 'Use the image `reg.example/shop/web:latest`', { image: 'reg.example/shop/web:latest' }]],
      why: 'No image with a similar name is known. Only the registry knows which images exist.',
      look: 'the tags of the repository in its registry',
    },
  ],
  [
    'no such repository',
    pulled(DENIED),
    {
      summary:
        'Container `app` cannot start: the image `reg.example/shop/web:1` cannot be pulled, because the repository does not exist, or the pod has no right to read it.',
      culprit: 'reg.example/shop/web:1',
      advice: ['Check the spelling of the repository. If it is private, name a pull secret with credentials for this registry.'],
      commands: [
        'kubectl describe pod web -n shop',
        'kubectl create secret docker-registry registry-credentials --docker-server=reg.example -n shop --docker-username=USER --docker-password=PASSWORD',
      ],
      why: 'No image with a similar name is known. Only the registry knows which images exist.',
      look: 'whether the repository exists in the registry, and the pull secrets of the pod and of its service account',
    },
  ],
  [
    'no credentials',
    pulled(NO_LOGIN),
    {
      summary:
        'Container `app` cannot start: the image `reg.example/shop/web:1` cannot be pulled, because the pod has no credentials that the registry accepts (`reg.example`).',
      culprit: 'reg.example/shop/web:1: the pod has no credentials that the registry accepts',
      advice: ['Create a pull secret for this registry and name it in `imagePullSecrets`.'],
      commands: [
        'kubectl describe pod web -n shop',
        'kubectl create secret docker-registry registry-credentials --docker-server=reg.example -n shop --docker-username=USER --docker-password=PASSWORD',
      ],
      corrections: [],
      why: 'Somebody must create the credentials before the manifest can name them.',
    },
  ],
  [
    'old credentials',
    pulled(NO_LOGIN, names('a', 'b')),
    {
      advice: [
        'The pod uses the pull secrets `a`, `b`. Check that one of them has credentials for this registry and that they are still valid.',
      ],
    },
  ],
  [
    'old credentials of one Secret',
    pulled(NO_LOGIN, names('a')),
    {
      advice: ['The pod uses the pull secret `a`. Check that it has credentials for this registry and that they are still valid.'],
    },
  ],
  [
    'one Secret with credentials',
    pulled(NO_LOGIN, secrets({ name: 'a', ...LOGIN }, { name: 'x', keys: ['y'] })),
    {
      corrections: [['likely', 'Pull with the Secret `a`', { 'spec.imagePullSecrets': [{ name: 'a' }] }, 'no mirror']],
    },
  ],
  [
    'several Secrets with credentials',
    pulled(NO_LOGIN, secrets({ name: 'a', ...LOGIN }, { name: 'b', keys: ['.dockercfg'] }, { name: 'c', ...LOGIN })),
    {
      corrections: [
        ['guess', 'Pull with the Secret `a`', { 'spec.imagePullSecrets': [{ name: 'a' }] }, 'no mirror'],
        ['guess', 'Pull with the Secret `b`', { 'spec.imagePullSecrets': [{ name: 'b' }] }, 'no mirror'],
      ],
    },
  ],
  ['the pod names a Secret already', pulled(NO_LOGIN, { ...secrets({ name: 'a', ...LOGIN }), ...names('other') }), { corrections: [] }],
  [
    'a Secret that does not exist',
    pulled(NO_LOGIN, { events: GONE, ...names('x', 'login'), ...secrets({ name: 'logins' }, { name: 'login2' }, { name: 'other' }) }),
    {
      summary:
        'Container `app` cannot start: the image `reg.example/shop/web:1` requires credentials, and the pull secret `login` does not exist.',
      culprit: 'pull secret login',
      evidence: [
        'event FailedToRetrieveImagePullSecret: Unable to retrieve some image pull secrets (login); attempting to pull the image may not succeed.',
        'status of container app: Failed to pull image "reg.example/shop/web:1": pull access denied, authorization failed: no basic auth credentials',
      ],
      advice: ['Create the Secret `login` of type `kubernetes.io/dockerconfigjson` in this namespace, or name one that exists.'],
      commands: [
        'kubectl get secrets --field-selector type=kubernetes.io/dockerconfigjson -n shop',
        'kubectl create secret docker-registry login --docker-server=reg.example -n shop --docker-username=USER --docker-password=PASSWORD',
      ],
      corrections: [
        ['likely', 'Use the pull secret `login2`', { 'spec.imagePullSecrets[1].name': 'login2' }, 'no mirror'],
        ['likely', 'Use the pull secret `logins`', { 'spec.imagePullSecrets[1].name': 'logins' }, 'no mirror'],
      ],
      why: 'The credentials are missing in the namespace, not in the manifest.',
      look: 'the Secret `login`: create it, or copy it from a namespace that has it',
    },
  ],
  ['a missing Secret that the pod does not name', pulled(NO_LOGIN, { events: GONE }), { corrections: [] }],
  [
    'a Secret of another type',
    pulled(NO_LOGIN, { ...names('login'), ...secrets({ name: 'login', type: 'Opaque', ...LOGIN }) }),
    {
      summary:
        'Container `app` cannot start: the image `reg.example/shop/web:1` requires credentials, and kubelet takes none from the pull secret `login`, which is of type `Opaque`.',
      culprit: 'pull secret login, which is of type Opaque',
      evidence: [
        'status of container app: Failed to pull image "reg.example/shop/web:1": pull access denied, authorization failed: no basic auth credentials',
      ],
      advice: [
        'Make a Secret with the type `kubernetes.io/dockerconfigjson` and the key `.dockerconfigjson`, under this name or another one that the pod then names. The type of a Secret cannot be changed.',
      ],
      commands: [
        'kubectl get secret login -n shop',
        'kubectl create secret docker-registry registry-credentials --docker-server=reg.example -n shop --docker-username=USER --docker-password=PASSWORD',
      ],
      corrections: [],
      why: 'The manifest names the right Secret. The Secret itself has to be made again.',
      look: 'the type and the keys of the Secret `login`',
    },
  ],
  [
    'a Secret without its key',
    pulled(NO_LOGIN, { ...names('login'), ...secrets({ name: 'login', type: 'kubernetes.io/dockercfg', ...LOGIN }) }),
    { culprit: 'pull secret login, which has no key .dockercfg' },
  ],
  [
    'a Secret of no known type',
    pulled(NO_LOGIN, { ...names('login'), ...secrets({ name: 'login', keys: ['x'] }) }),
    { culprit: 'pull secret login, which has no key .dockerconfigjson' },
  ],
  [
    'a Secret whose keys are not known',
    pulled(NO_LOGIN, { ...names('login'), ...secrets({ name: 'login' }) }),
    { culprit: 'reg.example/shop/web:1: the pod has no credentials that the registry accepts' },
  ],
  [
    'one of two Secrets is right',
    pulled(NO_LOGIN, { ...names('login', 'b'), ...secrets({ name: 'login', type: 'Opaque' }, { name: 'b', ...LOGIN }) }),
    { culprit: 'reg.example/shop/web:1: the pod has no credentials that the registry accepts' },
  ],
  [
    'no host',
    pulled('dial tcp: lookup reg.example on 10.0.0.10:53: no such host'),
    {
      summary:
        "Container `app` cannot start: the image `reg.example/shop/web:1` cannot be pulled, because no DNS server knows the registry's host name (`reg.example`).",
      culprit: 'reg.example/shop/web:1 (host reg.example)',
      commands: ['kubectl describe pod web -n shop', 'skopeo list-tags docker://reg.example/shop/web'],
      why: 'No image with a similar name is known. Only the registry knows which images exist.',
    },
  ],
  [
    'not reached, and the image is there',
    pulled('dial tcp 10.0.0.1:443: i/o timeout', { ...there, app: { imagePullPolicy: 'Always' } }),
    {
      summary:
        'Container `app` cannot start: the image `reg.example/shop/web:1` cannot be pulled, because the node cannot reach the registry.',
      culprit: 'reg.example/shop/web:1: the node cannot reach the registry',
      commands: ['kubectl describe pod web -n shop'],
      corrections: [['likely', 'Use the image that is on the node', { imagePullPolicy: 'IfNotPresent' }]],
      why: 'The manifest is not the cause: the node cannot reach the registry.',
    },
  ],
  ['not reached, and it would not be pulled', pulled('dial tcp 10.0.0.1:443: i/o timeout', there), { corrections: [] }],
  [
    'not reached, and the image is not there',
    pulled('dial tcp 10.0.0.1:443: i/o timeout', { app: { imagePullPolicy: 'Always' } }),
    { corrections: [] },
  ],
  [
    'too often',
    pulled('toomanyrequests: limit', { ...there, app: { imagePullPolicy: 'Always' } }),
    {
      corrections: [['likely', 'Use the image that is on the node', { imagePullPolicy: 'IfNotPresent' }]],
    },
  ],
  [
    'a full disk, and the image is there',
    pulled('no space left on device', { ...there, app: { imagePullPolicy: 'Always' } }),
    { corrections: [] },
  ],
  [
    'a cause that is known comes first',
    pulled('it failed', { events: [{ reason: 'Failed', message: `Failed to pull image "reg.example/shop/web:1": ${NOT_FOUND}` }] }),
    { culprit: 'reg.example/shop/web:1' },
  ],
];
for (const [sentence, answer, expected] of ROWS) pulls(sentence, () => tells(answer, expected));

pulls('every cause has texts of its own', () => {
  const texts = PULL_CAUSES.map((cause) => PULL_CAUSE_MEANINGS[cause]);
  for (const field of ['because', 'advice', 'whereToLook'] as const) {
    const said = texts.map((one) => one[field]);
    assert.is(new Set(said).size, said.length, field);
    for (const text of said) assert.ok(text.length > 20, text);
  }
});

const ended = (
  name: string,
  container: object,
  { spec = {}, log = 'bye', exit = 0, ...parts }: CaseParts & { spec?: object; log?: string; exit?: number } = {},
) =>
  crash.answer(
    anInput(
      {},
      {
        containers: [
          { name: 'app', image: 'web:1' },
          { name, image: 'x:1', restartPolicy: 'Never', ...container },
        ],
        ...spec,
      },
      {
        failure_reason: 'Error',
        container: name,
        container_statuses: [{ name, kind: 'app', state: 'terminated', exit_code: exit, ready: false }],
        logs: `==> ${name} (current) <==\n${log}\n`,
        ...parts,
      },
    ),
  );
const ENDED: Row[] = [
  [
    'it is not started again',
    ended('side', {}),
    {
      summary:
        'Container `side` ended with exit code 0, and its own `restartPolicy: Never` does not start it again, so the pod is never ready.',
      culprit: 'restartPolicy Never of container side',
      evidence: ['status of container side: terminated: Error, exit code 0', 'log of side (current), last line: bye'],
      advice: [
        'A container beside the others of a server must keep running. Remove its `restartPolicy`, or run work that is done once as an init container.',
      ],
      commands: ['kubectl logs web -c side --tail=100 -n shop'],
      corrections: [
        ['guess', 'Start `side` again whenever it ends', { 'spec.containers[1].restartPolicy': null }],
        [
          'guess',
          'Run `side` before the others',
          {
            'spec.containers': [{ name: 'app', image: 'web:1' }],
            'spec.initContainers': [{ name: 'side', image: 'x:1', restartPolicy: 'Never' }],
          },
        ],
      ],
    },
  ],
  [
    'a server that shuts down',
    ended('side', {}, { log: 'idle for 5m, shutting down' }),
    {
      corrections: [
        ['likely', 'Start `side` again whenever it ends', { 'spec.containers[1].restartPolicy': null }],
        [
          'guess',
          'Run `side` before the others',
          {
            'spec.containers': [{ name: 'app', image: 'web:1' }],
            'spec.initContainers': [{ name: 'side', image: 'x:1', restartPolicy: 'Never' }],
          },
        ],
      ],
    },
  ],
  [
    'work that is done once',
    ended('db-migrate', {}),
    {
      corrections: [
        [
          'guess',
          'Run `db-migrate` before the others',
          {
            'spec.containers': [{ name: 'app', image: 'web:1' }],
            'spec.initContainers': [{ name: 'db-migrate', image: 'x:1', restartPolicy: 'Never' }],
          },
        ],
        ['guess', 'Start `db-migrate` again whenever it ends', { 'spec.containers[1].restartPolicy': null }],
      ],
    },
  ],
  [
    'it has rules',
    ended('side', { restartPolicyRules: [{ action: 'Restart' }] }),
    {
      corrections: [
        ['guess', 'Start `side` again whenever it ends', { 'spec.containers[1].restartPolicy': 'Always' }],
        [
          'guess',
          'Run `side` before the others',
          {
            'spec.containers': [{ name: 'app', image: 'web:1' }],
            'spec.initContainers': [{ name: 'side', image: 'x:1', restartPolicy: 'Never', restartPolicyRules: [{ action: 'Restart' }] }],
          },
        ],
      ],
    },
  ],
  ['it failed', ended('side', {}, { exit: 3 }), { culprit: 'bye' }],
  ['it is started again', ended('side', { restartPolicy: 'Always' }), { culprit: 'exit code 0' }],
  ['it has no policy of its own', ended('side', { restartPolicy: undefined }), { culprit: 'exit code 0' }],
  ['the whole pod is not started again', ended('side', {}, { spec: { restartPolicy: 'Never' } }), { culprit: 'exit code 0' }],
  ['a Job', ended('side', {}, { workload: { kind: 'Job', name: 'web' } }), { culprit: 'exit code 0' }],
];
for (const [sentence, answer, expected] of ENDED) pulls(`ended: ${sentence}`, () => tells(answer, expected));

pulls.run();
