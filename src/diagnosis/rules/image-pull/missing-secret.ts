import { NOT_TRIED } from '../../corrections/references.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { registryOf } from '../../../crd/image.ts';
import type { Correction } from '../../corrections/correction.ts';
import { nearestName } from '../../corrections/similar-names.ts';
import type { FactOf } from '../../facts/facts.ts';
import type { PullFact } from '../../facts/image.ts';
import { code } from '../../rendering/quote.ts';
import { kubectl } from '../../rendering/commands.ts';
import { change } from '../../corrections/change.ts';
import { type RuleAnswer } from '../rule.ts';
import { type RuleInput, who } from '../../facts/input.ts';

/** The registry requires credentials, and a pull secret that the pod names does not exist. */
export function missingPullSecret(input: RuleInput, image: string, pull: PullFact, missing: FactOf<'pull-secret'>): RuleAnswer {
  const name = missing.names[0] ?? '';
  return {
    summary: `${who(input)} cannot start: the image ${code(image)} requires credentials, and the pull secret ${code(name)} does not exist.`,
    culprit: `pull secret ${name}`,
    evidence: [missing.evidence, pull.evidence],
    advice: [`Create the Secret ${code(name)} of type \`kubernetes.io/dockerconfigjson\` in this namespace, or name one that exists.`],
    commands: [
      kubectl(input.subject, 'get', 'secrets', '--field-selector', 'type=kubernetes.io/dockerconfigjson'),
      createPullSecret(input, name, image),
    ],
    corrections: otherSecrets(input, name),
    noCorrection: {
      why: 'The credentials are missing in the namespace, not in the manifest.',
      whereToLook: `the Secret ${code(name)}: create it, or copy it from a namespace that has it`,
    },
  };
}

/** The Secret types that hold registry credentials, each with its key. */
const PULL_TYPES: Record<string, string> = {
  'kubernetes.io/dockerconfigjson': '.dockerconfigjson',
  'kubernetes.io/dockercfg': '.dockercfg',
};

/** The registry requires credentials, but the kubelet cannot use any of the pull secrets that the pod names, because of their type. */
export function otherTypeOfSecret(input: RuleInput, image: string, pull: PullFact): RuleAnswer | undefined {
  const names = (input.place()?.spec.imagePullSecrets ?? []).map((one) => one.name);
  const secrets = names.map((name) => input.subject.surroundings?.secrets?.find((one) => one.name === name));
  const wrong = secrets.flatMap((secret) => {
    const says = secret && whyUnused(secret);
    return says ? [{ name: secret.name, says }] : [];
  });
  const [first] = wrong;
  if (!first || wrong.length < names.length) return undefined;
  const { name, says } = first;
  return {
    summary: `${who(input)} cannot start: the image ${code(image)} requires credentials, and kubelet takes none from the pull secret ${code(name)}, ${says}.`,
    culprit: `pull secret ${name}, ${says.replaceAll('`', '')}`,
    evidence: [pull.evidence],
    advice: [
      `Make a Secret with the type \`kubernetes.io/dockerconfigjson\` and the key \`.dockerconfigjson\`, under this name or another one that the pod then names. The type of a Secret cannot be changed.`,
    ],
    commands: [kubectl(input.subject, 'get', 'secret', name), createPullSecret(input, 'registry-credentials', image)],
    noCorrection: {
      why: 'The manifest names the right Secret. The Secret itself has to be made again.',
      whereToLook: `the type and the keys of the Secret ${code(name)}`,
    },
  };
}

/** Why the kubelet takes no credentials from a Secret, as far as its type and keys show. Completes the sentence "the Secret …, ". */
function whyUnused({ type, keys }: { type?: string; keys: string[] }): string | undefined {
  if (type !== undefined && !Object.hasOwn(PULL_TYPES, type)) return `which is of type ${code(type)}`;
  const key = type === undefined ? undefined : PULL_TYPES[type];
  const isThere = key === undefined ? keys.some((one) => Object.values(PULL_TYPES).includes(one)) : keys.includes(key);
  return isThere || keys.length === 0 ? undefined : `which has no key ${code(key ?? '.dockerconfigjson')}`;
}

/** The command that creates a pull secret for the registry of an image. */
export function createPullSecret(input: RuleInput, name: string, image: string): string {
  return `${kubectl(input.subject, 'create', 'secret', 'docker-registry', name, `--docker-server=${registryOf(image)}`)} --docker-username=USER --docker-password=PASSWORD`;
}

/** Whether a Secret holds credentials for a registry. */
const hasCredentials = ({ keys }: { keys: string[] }): boolean => keys.some((key) => Object.values(PULL_TYPES).includes(key));

/** A pod that names no pull secret, in a namespace that has one. The registry may want these credentials. */
export function addPullSecret(input: RuleInput): Correction[] {
  const place = input.place();
  if (!place || (place.spec.imagePullSecrets ?? []).length > 0) return [];
  const secrets = (input.subject.surroundings?.secrets ?? []).filter(hasCredentials);
  const isOnly = secrets.length === 1;
  return secrets.slice(0, 2).map(({ name }) => ({
    title: `Pull with the Secret ${code(name)}`,
    changes: [
      change(place, fieldPath(place.specPath, 'imagePullSecrets'), [{ name }], 'the namespace has credentials, and the pod names none'),
    ],
    confidence: isOnly ? 'likely' : 'guess',
    explanation: `It helps when the credentials are for this registry. ${NOT_TRIED}`,
    mirrorable: false,
  }));
}

function otherSecrets(input: RuleInput, name: string): Correction[] {
  const place = input.place();
  const index = place?.spec.imagePullSecrets?.findIndex((secret) => secret.name === name) ?? -1;
  if (!place || index < 0) return [];
  const path = fieldPath(place.specPath, 'imagePullSecrets', index, 'name');
  const secrets = input.subject.surroundings?.secrets ?? [];
  const names = secrets.map((secret) => secret.name);
  const near = nearestName(name, names).slice(0, 2);
  const [only, ...more] = secrets
    .filter(hasCredentials)
    .filter((one) => !place.spec.imagePullSecrets?.some((own) => own.name === one.name));
  const others = near.length === 0 && only && more.length === 0 ? [only.name] : near;
  return others.map((other) => ({
    title: `Use the pull secret ${code(other)}`,
    changes: [
      change(
        place,
        path,
        other,
        near.length > 0 ? `${code(name)} looks like a typo of ${code(other)}, which exists` : 'it is the only pull secret of the namespace',
      ),
    ],
    confidence: 'likely',
    explanation: near.length > 0 ? NOT_TRIED : `It helps when its credentials are for this registry. ${NOT_TRIED}`,
    mirrorable: false,
  }));
}
