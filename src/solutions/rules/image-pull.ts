import type { ContainerEvidence } from '../../contract/failure.ts';
import { fieldPath } from '../fix/apply.ts';
import { fullRepository, parseImage, registryOf } from '../fix/image.ts';
import { nearest } from '../fix/nearest.ts';
import type { PullCause, PullFact } from '../facts/image.ts';
import { code, shellWord } from '../quote.ts';
import type { RuleCorrection } from './answer.ts';
import { describe, kubectl } from './commands.ts';
import { type Answer, change, factOf, factsOf, type Rule, type Scene, who } from './rule.ts';

/** What each cause means: completes "the image cannot be pulled: …", and where to look when the manifest is right. */
const MEANINGS: Record<PullCause, { because: string; advice: string; whereToLook: string }> = {
  'not-found': {
    because: 'the registry has no such tag or digest',
    advice: 'Correct the tag or the repository, or push the image.',
    whereToLook: 'the tags of the repository in its registry',
  },
  denied: {
    because: 'the repository does not exist, or the pod has no right to read it',
    advice: 'Check the spelling of the repository; when it is private, name a pull secret with credentials for this registry.',
    whereToLook: 'whether the repository exists in the registry, and the pull secrets of the pod and of its service account',
  },
  unauthorized: {
    because: 'the registry wants credentials and does not accept what the pod brings',
    advice: 'Make a pull secret for this registry and name it in `imagePullSecrets`, or renew the one that is named.',
    whereToLook: 'the pull secrets of the pod and of its service account, and when their credentials expire',
  },
  signature: {
    because: 'the node takes signed images only, and the signature of this one does not verify',
    advice: 'Sign the image with a key that the policy of the nodes trusts, or have the policy changed.',
    whereToLook: "the signatures of the image in its registry, and the node's policy (`/etc/containers/policy.json`)",
  },
  'rate-limited': {
    because: 'the registry limits how often it may be asked',
    advice: 'Pull with credentials, through a mirror of the registry, or wait; `imagePullPolicy: IfNotPresent` asks less often.',
    whereToLook: "the registry's limits for anonymous pulls from the address of this node",
  },
  'unknown-host': {
    because: "the registry's host name is not known",
    advice: "Correct the registry's name in the image reference, or the name servers of the node.",
    whereToLook: 'the host part of the image, and the DNS settings of the node',
  },
  tls: {
    because: "the registry's certificate is not accepted",
    advice: "Install the registry's authority on the nodes, or renew its certificate.",
    whereToLook: "the certificate of the registry and the container runtime's list of authorities on the node",
  },
  'http-registry': {
    because: 'the registry speaks HTTP where the node expects HTTPS',
    advice: 'Give the registry a certificate, or list it as insecure in the container runtime of every node.',
    whereToLook: "the registry's configuration and the container runtime's (`/etc/containerd/certs.d`)",
  },
  unreachable: {
    because: 'the node cannot reach the registry',
    advice: 'Check firewall, proxy and routes from the node to the registry; the pull is tried again by itself.',
    whereToLook: 'the network between the node and the registry',
  },
  'disk-full': {
    because: 'the disk of the node is full',
    advice: 'Make room on the node (unused images, logs), or give it a larger disk.',
    whereToLook: "the node's disk: `df -h`, `crictl images`, its condition `DiskPressure`",
  },
  platform: {
    because: "the image has no variant for the node's processor",
    advice: 'Build the image for this platform, or place the pod on nodes of another architecture.',
    whereToLook: "the image's platforms and `kubectl get nodes -L kubernetes.io/arch`",
  },
  proxy: {
    because: 'the proxy of the node does not let the pull through',
    advice: "Correct the container runtime's proxy settings on the node.",
    whereToLook: "`HTTPS_PROXY` and `NO_PROXY` of the container runtime's service",
  },
  corrupt: {
    because: 'its layers or manifest cannot be read',
    advice: 'Push the image again; check that the node has room and that nothing between it and the registry changes the answer.',
    whereToLook: 'the image in the registry, and the disk of the node',
  },
  'server-error': {
    because: 'the registry answers with an error of its own',
    advice: 'Wait, or ask those who run the registry; the pull is tried again by itself.',
    whereToLook: "the registry's status and logs",
  },
  unknown: {
    because: 'the runtime does not say why',
    advice: 'Read the whole event of the first failed pull.',
    whereToLook: 'the events of the pod and the log of the container runtime on the node',
  },
};

/** The image cannot be pulled: each cause told apart. */
export const imagePull: Rule = {
  id: 'image-pull',
  reasons: ['ImagePullBackOff', 'ErrImagePull', 'ImageInspectError', 'RegistryUnavailable', 'SignatureValidationFailed'],
  answer(scene) {
    const pulls = factsOf(scene, 'pull');
    const pull = pulls.find(({ cause }) => cause !== 'unknown') ?? pulls[0];
    if (!pull) return undefined;
    const image = volumeOf(scene, pull)?.reference ?? imageOf(scene, pull);
    const missing = factOf(scene, 'pull-secret');
    return missing && (pull.cause === 'denied' || pull.cause === 'unauthorized')
      ? withoutSecret(scene, image, pull, missing)
      : withImage(scene, image, pull);
  },
};

function withImage(scene: Scene, image: string, pull: PullFact): Answer {
  const { because, advice, whereToLook } = MEANINGS[pull.cause];
  const host = pull.cause === 'unknown-host' ? (pull.detail ?? registryOf(image)) : null;
  const isNamed = pull.cause === 'not-found' || pull.cause === 'denied' || pull.cause === 'unknown-host' || pull.cause === 'unauthorized';
  const login = pull.cause === 'denied' || pull.cause === 'unauthorized';
  return {
    summary: `${who(scene)} cannot start: the image ${code(image)} cannot be pulled, because ${because}${host ? ` (${code(host)})` : ''}.`,
    culprit: host ? `${image} (host ${host})` : isNamed ? image : `${image}: ${because}`,
    evidence: [pull.evidence],
    advice: [advice],
    commands: [
      describe(scene.subject),
      ...(isNamed && !login ? [`skopeo list-tags ${shellWord(`docker://${fullRepository(parseImage(image).repository)}`)}`] : []),
      ...(login ? [secretCommand(scene, 'registry-credentials', image)] : []),
    ],
    corrections: isNamed ? [...otherImages(scene, image, pull), ...latestTag(scene, image, pull)] : [],
    noCure: {
      why: whyNot(pull.cause, because),
      whereToLook,
    },
  };
}

function whyNot(cause: PullCause, because: string): string {
  if (cause === 'unauthorized') return 'Credentials must be there before the manifest can name them.';
  if (cause === 'not-found' || cause === 'denied' || cause === 'unknown-host')
    return 'No other image of nearly this name is known here; only its registry knows which there are.';
  return `The manifest is not what is wrong: ${because}.`;
}

function withoutSecret(scene: Scene, image: string, pull: PullFact, missing: { names: string[]; evidence: PullFact['evidence'] }): Answer {
  const name = missing.names[0] ?? '';
  const place = scene.place();
  const index = place?.spec.imagePullSecrets?.findIndex((secret) => secret.name === name) ?? -1;
  const guesses = nearest(
    name,
    (scene.subject.surroundings?.secrets ?? []).map((secret) => secret.name),
  ).slice(0, 2);
  return {
    summary: `${who(scene)} cannot start: the image ${code(image)} wants credentials, and the pull secret ${code(name)} does not exist.`,
    culprit: `pull secret ${name}`,
    evidence: [missing.evidence, pull.evidence],
    advice: [`Make the Secret ${code(name)} of type \`kubernetes.io/dockerconfigjson\` in this namespace, or name the one that is there.`],
    commands: [
      kubectl(scene.subject, 'get', 'secrets', '--field-selector', 'type=kubernetes.io/dockerconfigjson'),
      secretCommand(scene, name, image),
    ],
    corrections:
      place && index >= 0
        ? guesses.map((guess) => ({
            title: `Use the pull secret ${code(guess)}`,
            changes: [
              change(
                place,
                fieldPath(place.specPath, 'imagePullSecrets', index, 'name'),
                guess,
                `${code(name)} looks like a slip of ${code(guess)}, which exists`,
              ),
            ],
            confidence: 'likely',
            explanation: 'A mirror may not use a Secret that the source does not name.',
            mirrorable: false,
          }))
        : [],
    noCure: {
      why: 'The credentials are missing in the namespace, not in the manifest.',
      whereToLook: `the Secret ${code(name)}: make it, or copy it from a namespace that has it`,
    },
  };
}

function imageOf(scene: Scene, pull: PullFact): string {
  return statusOf(scene, pull)?.image || scene.place()?.container?.image || pull.image || 'of the container';
}

/** The status of the container that the image is pulled for; where nobody names the container, of one with this image. */
function statusOf({ subject: { container, statuses } }: Scene, pull: PullFact): ContainerEvidence | undefined {
  const named = pull.container ?? container;
  return statuses.find(({ name, image }) => (named === null ? isPulled(image, pull) : name === named));
}

function isPulled(image: string | null | undefined, pull: PullFact): boolean {
  if (!image || pull.image === null) return false;
  const [one, other] = [parseImage(image), parseImage(pull.image)];
  return fullRepository(one.repository) === fullRepository(other.repository) && one.tag === other.tag && one.digest === other.digest;
}

function secretCommand(scene: Scene, name: string, image: string): string {
  return `${kubectl(scene.subject, 'create', 'secret', 'docker-registry', name, `--docker-server=${registryOf(image)}`)} --docker-username=USER --docker-password=PASSWORD`;
}

/** The volume that is made of the image, when it is not the container's own: kubelet tells both with the same words. */
function volumeOf(scene: Scene, pull: PullFact): { reference: string; path: string } | undefined {
  if (pull.image === null || isPulled(statusOf(scene, pull)?.image, pull)) return undefined;
  const place = scene.place();
  if (!place || isPulled(place.container?.image, pull)) return undefined;
  const volumes = (place.spec.volumes ?? []).map((volume, index) => ({
    reference: (volume['image'] as { reference?: unknown } | undefined)?.reference,
    path: fieldPath(place.specPath, 'volumes', index, 'image', 'reference'),
  }));
  return volumes.find((volume): volume is { reference: string; path: string } => {
    return typeof volume.reference === 'string' && isPulled(volume.reference, pull);
  });
}

/** Images of the cluster that are nearly this one: another tag of the same repository, or a repository of nearly that name. */
function otherImages(scene: Scene, image: string, pull: PullFact): RuleCorrection[] {
  const { repository, tag } = parseImage(image);
  const known = [...new Set(scene.subject.surroundings?.images ?? [])]
    .filter((other) => other !== image)
    .map((other) => ({ other, ...parseImage(other) }));
  const sameRepository = known.filter((other) => fullRepository(other.repository) === fullRepository(repository));
  const byTag = rankTags(
    tag ?? 'latest',
    sameRepository.map((other) => other.other),
  );
  const near = nearest(
    repository,
    known.map((other) => other.repository),
  ).filter((name) => fullRepository(name) !== fullRepository(repository));
  const byName = near.flatMap((name) => {
    const tags = known.filter((other) => other.repository === name);
    return tags.some((other) => other.tag === tag)
      ? [`${name}${tag === null ? '' : `:${tag}`}`]
      : tags.slice(0, 1).map((other) => other.other);
  });
  const ranked = pull.cause === 'not-found' ? [...byTag, ...byName] : [...byName, ...byTag];
  return ranked
    .slice(0, 3)
    .flatMap((other) =>
      useImage(
        scene,
        pull,
        other,
        byTag.includes(other) ? 'pods of this cluster run this tag of it' : `${code(repository)} looks like a slip of it`,
        'likely',
      ),
    );
}

function rankTags(tag: string, images: string[]): string[] {
  const tagOf = (image: string) => parseImage(image).tag ?? 'latest';
  const close = nearest(tag, images.map(tagOf));
  const rank = (image: string) => (close.includes(tagOf(image)) ? close.indexOf(tagOf(image)) : close.length);
  return images.toSorted((a, b) => rank(a) - rank(b) || b.localeCompare(a, 'en', { numeric: true }));
}

/** When nothing better is known of a tag that does not exist: the tag that a repository has by default. */
function latestTag(scene: Scene, image: string, pull: PullFact): RuleCorrection[] {
  const { repository, tag, digest } = parseImage(image);
  const hasOthers = (scene.subject.surroundings?.images ?? []).some(
    (other) => other !== image && fullRepository(parseImage(other).repository) === fullRepository(repository),
  );
  if (pull.cause !== 'not-found' || tag === null || tag === 'latest' || digest || hasOthers) return [];
  const isSlip = nearest(tag, ['latest']).length > 0;
  return useImage(
    scene,
    pull,
    `${repository}:latest`,
    isSlip
      ? `${code(tag)} looks like a slip of \`latest\``
      : 'most repositories have this tag; which version it is, the registry alone knows',
    isSlip ? 'likely' : 'guess',
  );
}

function useImage(scene: Scene, pull: PullFact, image: string, why: string, confidence: RuleCorrection['confidence']): RuleCorrection[] {
  const place = scene.place();
  if (!place?.container) return [];
  const path = volumeOf(scene, pull)?.path ?? fieldPath(place.path, 'image');
  return [
    {
      title: `Use the image ${code(image)}`,
      changes: [change(place, path, image, why)],
      confidence,
      explanation: 'The image that the manifest names is not there.',
      mirrorable: true,
    },
  ];
}
