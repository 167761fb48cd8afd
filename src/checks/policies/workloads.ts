import { SENSITIVE, SOCKET } from '../workloads/node-folders.ts';
import { SERVERS } from '../workloads/probes.ts';
import { celList, celText, type Expression } from './cel.ts';

/** A slash as the kernel reads it: `//` and `/./` are equal to `/`. */
const SLASH = '/(?:\\.?/)*';
const LAST_SLASH = '(?:/\\.?)*';
/** `/` itself. */
const ROOT = '^(?:/\\.?)+$';

/** Matches every spelling of the paths that a pattern matches. A path at the end (`$`) may have a trailing slash. */
const spelled = (pattern: string): string => pattern.replaceAll('/', SLASH).replace(/\$$/, () => `${LAST_SLASH}$`);

/** True if no volume is a folder of the node that matches one of the patterns. */
function noFolder(...patterns: string[]): string {
  const tests = patterns.map((pattern) => `v.hostPath.path.matches(${celText(pattern)})`);
  return `!variables.volumes.exists(v, has(v.hostPath) && (${tests.join(' || ')}))`;
}

const withoutProbe =
  (field: string): Expression =>
  () =>
    `!(object.kind in ${celList(SERVERS)}) || variables.spec.containers.all(c, size(c.?ports.orValue([])) == 0 || has(c.${field}))`;

const SECRETS = 'what looks like a secret is decided by rules that CEL cannot express';
const ACCOUNT = 'it depends on the service account, which a policy cannot read';

/** Checks of pods beyond the Pod Security Standards. */
export const WORKLOAD_EXPRESSIONS: Record<string, Expression> = {
  'runtime-socket': () => noFolder(spelled(SOCKET.source.replaceAll('\\/', '/'))),
  'node-folder': () => noFolder(ROOT, spelled('^/var(?:/lib)?$'), `${spelled(`^(?:${SENSITIVE.join('|')})`)}(?:/|$)`),
  'mount-propagation': () =>
    "variables.containers.all(c, c.?volumeMounts.orValue([]).all(m, m.?mountPropagation.orValue('') != 'Bidirectional'))",
  'secret-in-env': { none: SECRETS },
  'secret-in-arguments': { none: SECRETS },
  'untrusted-registry': ({ trustedRegistries }) => trusted(trustedRegistries),
  'image-tag': () => "variables.images.all(i, i.contains('@') || (i.matches(':[^/]*$') && !i.endsWith(':latest')))",
  'memory-limit': () =>
    'variables.spec.?resources.?limits.?memory.hasValue() || variables.fixable.all(c, c.?resources.?limits.?memory.hasValue())',
  'network-policy': { none: 'it depends on NetworkPolicies, which a policy cannot read' },
  'token-automount': { none: ACCOUNT },
  'default-account': { none: ACCOUNT },
  'writable-root': () => 'variables.windows || variables.fixable.all(c, c.?securityContext.?readOnlyRootFilesystem.orValue(false))',
  'shared-processes': () => '!variables.spec.?shareProcessNamespace.orValue(false)',
  'resource-requests': () => {
    const either = (resources: string): string =>
      `['cpu', 'memory'].all(n, n in ${resources}.?requests.orValue({}) || n in ${resources}.?limits.orValue({}))`;
    return `${either('variables.spec.?resources')} || variables.fixable.all(c, ${either('c.?resources')})`;
  },
  'readiness-probe': withoutProbe('readinessProbe'),
  'liveness-probe': withoutProbe('livenessProbe'),
  'secret-as-env': () => 'variables.containers.all(c, !c.?env.orValue([]).exists(e, e.?valueFrom.?secretKeyRef.hasValue()))',
  'image-digest': () => "variables.images.all(i, i.contains('@'))",
  'host-aliases': () => 'size(variables.spec.?hostAliases.orValue([])) == 0',
  'default-namespace': () => "dyn(object).metadata.namespace != 'default'",
};

/**
 * Image references are first completed with the usual defaults (`docker.io`, `library/`), as the reference grammar of the CNCF project
 * Distribution defines them, and then matched segment by segment.
 */
function trusted(entries: readonly string[]): string {
  const patterns = entries.map((entry) => {
    const [host = '', ...path] = entry.split('/');
    const steps = [step(host, '[^/]*'), ...path.map((one) => step(one, '[^/:@]*'))];
    return `^${steps.join('/')}${path.length === 0 ? '/' : '(?:[/:@]|$)'}`;
  });
  const named = "i.matches('^[^/]*[.:][^/]*/|^localhost/') ? i : i.contains('/') ? 'docker.io/' + i : 'docker.io/library/' + i";
  const hub = "i.startsWith('index.docker.io/') || i.startsWith('registry-1.docker.io/') ? 'docker.io' + i.substring(i.indexOf('/')) : i";
  return `variables.images.map(i, ${named}).map(i, ${hub}).all(i, ${celList(patterns)}.exists(p, i.matches(p)))`;
}

/** One segment of a path as a regular expression. `*` stands for any text within the segment. */
function step(glob: string, star: string): string {
  return glob
    .split('*')
    .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join(star);
}
