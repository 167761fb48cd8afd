import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Level } from '../../src/checks/check.ts';
import { podSecurityViolations } from '../../src/checks/pod-security/index.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KubeError } from '../../src/kube/errors.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { podFor, STEP_NAMES } from '../support/builders/pod-security.ts';
import { random } from '../support/builders/random.ts';
import { type ApiServer, apiServerAssets, startApiServer } from '../support/cluster/api-server.ts';
import { longOr } from '../support/runner/long.ts';

// Compares with the admission of a real API server. A namespace's labels choose the level and the version of the rules.

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

/** The versions around each change of the standard. */
const VERSIONS = [0, 7, 8, 18, 19, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, Infinity];
const LEVELS: Level[] = ['baseline', 'restricted'];

interface Place {
  namespace: string;
  level: Level;
  minor: number;
}

const PLACES: Place[] = LEVELS.flatMap((level) =>
  VERSIONS.map((minor) => ({ namespace: `${level}-${minor === Infinity ? 'latest' : minor}`, level, minor })),
);

/** The server's answer to a dry run: the controls that refuse, in its words (none: admitted). Undefined: the pod is invalid. */
async function answerOf(ask: () => Promise<unknown>): Promise<string[] | undefined> {
  try {
    await ask();
    return [];
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    const refusal = /violates PodSecurity "[^"]*": (.*)$/s.exec(error.message)?.[1];
    return refusal === undefined ? undefined : reasonsIn(refusal);
  }
}

/** Splits `a (…), b (…)` into `a` and `b`. */
function reasonsIn(refusal: string): string[] {
  let outside = refusal;
  for (let text = ''; text !== outside;) [text, outside] = [outside, outside.replaceAll(/\([^()]*\)/g, '')];
  return outside.split(',').map((reason) => reason.trim());
}

/** The server's words for each of our controls. It has the same words for some of them. */
const WORDS: Record<string, RegExp> = {
  'host-process': /^hostProcess/,
  'host-namespaces': /^host namespaces/,
  privileged: /^privileged/,
  capabilities: /^non-default capabilities/,
  'host-path': /^hostPath volumes/,
  'host-ports': /^hostPort/,
  'host-probes': /probe or lifecycle host/,
  'app-armor': /AppArmor/,
  'se-linux': /^seLinuxOptions/,
  'proc-mount': /^procMount/,
  'proc-mount-restricted': /^procMount/,
  seccomp: /^seccompProfile/,
  'seccomp-restricted': /^seccompProfile/,
  sysctls: /sysctls/,
  'volume-types': /^restricted volume types/,
  'privilege-escalation': /^allowPrivilegeEscalation/,
  'run-as-non-root': /^runAsNonRoot/,
  'run-as-user': /^runAsUser/,
  'capabilities-restricted': /^unrestricted capabilities/,
};

/** Controls that only one of the two sides reports. */
function differences(template: Loose, { level, minor }: Place, theirs: string[]): string[] {
  const ours = new Set(podSecurityViolations(template, level, minor).map(({ check }) => check.id));
  const unknown = theirs.filter((reason) => ![...ours].some((id) => WORDS[id]?.test(reason)));
  const missing = [...ours].filter((id) => !theirs.some((reason) => WORDS[id]?.test(reason)));
  return [...unknown.map((reason) => `only the server refuses: ${reason}`), ...missing.map((id) => `only we refuse: ${id}`)];
}

const server = suite('Pod Security admission of a real API server');
let api: ApiServer | undefined;
let client: KubeClient;

server.before(async () => {
  api = await startApiServer();
  client = connect({ kubeconfigText: api.kubeconfigText, silenceMs: 30_000 });
  for (const { namespace: name, level, minor } of PLACES) {
    const version = minor === Infinity ? 'latest' : `v1.${minor}`;
    const labels = { 'pod-security.kubernetes.io/enforce': level, 'pod-security.kubernetes.io/enforce-version': version };
    await client.create(KINDS.namespace, { metadata: { name, labels } });
  }
  await client.create(KINDS.namespace, { metadata: { name: 'free' } });
});

server.after(async () => {
  client?.close();
  await api?.close();
});

/** Requests at the same time. */
const AT_ONCE = 8;

server('it answers generated pods as we do, control by control', async () => {
  const chosen = random(1);
  const rounds = longOr(200, 12);
  const wrong: string[] = [];
  const counts = { judged: 0, refused: 0, invalid: 0 };
  const work = Array.from({ length: rounds * STEP_NAMES.length }, (_, index) => ({
    ...podFor(STEP_NAMES[index % STEP_NAMES.length] as string, chosen),
    place: chosen.pick(PLACES),
  }));
  const judge = async (): Promise<void> => {
    for (let one = work.pop(); one; one = work.pop()) {
      const { pod, did, place } = one;
      const theirs = await answerOf(() =>
        client.create(KINDS.pod, { ...pod, metadata: { ...pod.metadata, namespace: place.namespace } }, { dryRun: true }),
      );
      if (!theirs) {
        counts.invalid += 1;
        continue;
      }
      counts.judged += 1;
      if (theirs.length > 0) counts.refused += 1;
      for (const text of differences(withDefaults(pod), place, theirs))
        wrong.push(`${place.namespace}: ${text}\n${did.join(', ')}\n${JSON.stringify(pod)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, judge));
  assert.equal(wrong.slice(0, 5), [], `${wrong.length} of ${counts.judged}`);
  assert.ok(counts.judged > rounds * STEP_NAMES.length * 0.7, `the generator makes pods that a server takes: ${JSON.stringify(counts)}`);
  assert.ok(counts.refused > counts.judged / 4 && counts.refused < counts.judged, JSON.stringify(counts));
  if (process.env['SOAK']) console.log(JSON.stringify(counts));
});

/** With hostNetwork, the API server sets `hostPort` to `containerPort`. */
function withDefaults(pod: Loose): Loose {
  if (!pod.spec.hostNetwork) return pod;
  const copy = structuredClone(pod);
  for (const container of [...copy.spec.containers, ...copy.spec.initContainers])
    for (const port of container.ports ?? []) port.hostPort ||= port.containerPort;
  return copy;
}

server('it answers ephemeral containers as we do', async () => {
  const strict = {
    allowPrivilegeEscalation: false,
    runAsNonRoot: true,
    capabilities: { drop: ['ALL'] },
    seccompProfile: { type: 'RuntimeDefault' },
  };
  const contexts: Loose[] = [
    strict,
    {},
    { ...strict, capabilities: { drop: ['ALL'], add: ['SYS_PTRACE'] } },
    { ...strict, runAsUser: 0 },
    { ...strict, runAsNonRoot: false },
    { ...strict, seccompProfile: { type: 'Unconfined' } },
    { ...strict, procMount: 'Unmasked' },
    { privileged: true },
  ];
  const wrong: string[] = [];
  for (const place of PLACES.filter(({ minor }) => [18, 24, 34, 35, Infinity].includes(minor))) {
    const { namespace } = place;
    for (const hostUsers of [true, false]) {
      const spec = {
        hostUsers,
        securityContext: { runAsNonRoot: true },
        containers: [{ name: 'app', image: 'x:1', securityContext: strict }],
      };
      const name = `held-${hostUsers}`;
      await client.create(KINDS.pod, { metadata: { name, namespace }, spec } as Loose);
      for (const securityContext of contexts) {
        // An API server accepts an unmasked /proc only in a user namespace.
        if (hostUsers && securityContext.procMount) continue;
        const ephemeralContainers = [{ name: 'debug', image: 'x:1', securityContext }];
        const theirs = await answerOf(() =>
          client.patch(KINDS.pod, namespace, name, { spec: { ephemeralContainers } }, {
            type: 'merge',
            subresource: 'ephemeralcontainers',
            dryRun: true,
          } as Loose),
        );
        assert.ok(theirs, `the server takes ${JSON.stringify(securityContext)}`);
        for (const text of differences({ spec: { ...spec, ephemeralContainers } }, place, theirs))
          wrong.push(`${namespace}: ${text} ${JSON.stringify(securityContext)}`);
      }
    }
  }
  assert.equal(wrong, []);
});

if (apiServerAssets()) server.run();
else console.log('SKIP Pod Security admission of a real API server: KUBEBUILDER_ASSETS is not set');
