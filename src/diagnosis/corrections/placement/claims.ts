import { nearestName } from '../similar-names.ts';
import { parseQuantity } from '../../../crd/quantity.ts';
import type { ClaimAround, VolumeAround } from '../../case.ts';
import { code } from '../../rendering/quote.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import type { RuleInput } from '../../facts/input.ts';

/** Why the pod's first unbound claim waits, as far as its storage class shows. Undefined if the claim or the classes are unknown. */
export function waitingClaim(input: RuleInput): { because: string; culprit: string; advice: string } | undefined {
  const { claims = [], storageClasses } = input.subject.surroundings ?? {};
  const named = (input.place()?.spec.volumes ?? []).flatMap(
    (volume) => volume.persistentVolumeClaim?.claimName ?? (volume.ephemeral ? `${input.subject.pod_name}-${volume.name}` : []),
  );
  const claim = claims.find(({ name, phase }) => named.includes(name) && phase !== 'Bound');
  if (!claim) return undefined;
  const unfit = otherVolume(input, claim);
  if (unfit) return unfit;
  const { name, storageClass, problem } = claim;
  // If no class is known, the provisioner's event says which one is missing.
  const absent = /storageclass(?:\.storage\.k8s\.io)? "([^"]{1,253})" not found/.exec(problem ?? '')?.[1];
  if (!storageClasses) return told(claim, absent);
  const its = `its claim ${code(name)}`;
  const choice = storageClasses.map((one) => code(one.name)).slice(0, 10);
  const there = choice.length > 0 ? `The cluster has ${choice.join(', ')}.` : 'The cluster has no storage class.';
  if (!storageClass) {
    if (storageClass === undefined && storageClasses.some(({ isDefault }) => isDefault)) return undefined;
    const why = storageClass === undefined ? 'and none is the default' : 'so it can only use a volume that somebody created';
    return {
      because: `${its} names no storage class, ${why}${isMismatch(problem) ? `: ${code(problem, 300)}` : ''}`,
      culprit: `PersistentVolumeClaim ${name}: no storage class`,
      advice: `Create a volume for it, or create the claim again with a storage class. ${there}`,
    };
  }
  const culprit = `PersistentVolumeClaim ${name}: storage class ${storageClass}`;
  if (storageClasses.some((one) => one.name === storageClass))
    return {
      because: `${its} waits for a volume of storage class ${code(storageClass)}${problem ? `: ${code(problem, 300)}` : ''}`,
      culprit,
      advice: `The class exists. Look at the claim's events and at the pods of the class's provisioner.`,
    };
  const names = storageClasses.map((one) => one.name);
  const [guess] = nearestName(storageClass, names);
  return {
    because: `${its} names the storage class ${code(storageClass)}, which does not exist${guess ? ` (a similar name: ${code(guess)})` : ''}`,
    culprit,
    advice: `Create the claim again with a class that exists${guess ? `, perhaps ${code(guess)}` : ''}: the class of a claim cannot be changed. ${there}`,
  };
}

/** The free volume that comes closest to the claim, if volumes are created by hand, and why it does not fit. */
function otherVolume(input: RuleInput, claim: ClaimAround): ReturnType<typeof waitingClaim> {
  const kept = keptVolume(input, claim);
  if (kept) return kept;
  const { subject } = input;
  const { volumes, storageClasses = [] } = subject.surroundings ?? {};
  const own = `${subject.namespace}/${claim.name}`;
  const isProvisioned = storageClasses.some((one) => (claim.storageClass === undefined ? one.isDefault : one.name === claim.storageClass));
  if (!volumes || (isProvisioned && claim.volume === undefined && !volumes.some((one) => one.claim === own))) return undefined;
  const meant = volumes.filter((one) => (claim.volume === undefined ? one.claim === own : one.name === claim.volume));
  const [nearest] = (meant.length > 0 ? meant : volumes.filter((one) => one.claim === undefined))
    .map((volume) => ({ volume, misses: missesOf(claim, volume, own) }))
    .toSorted((a, b) => a.misses.length - b.misses.length);
  // If a volume differs in several ways, it may not be the one that was meant.
  if (!nearest || nearest.misses.length === 0 || (meant.length === 0 && nearest.misses.length > 1)) return undefined;
  const { volume, misses } = nearest;
  return {
    because: `its claim ${code(claim.name)} gets no volume: the volume ${code(volume.name)} does not fit, because ${misses.join(', and ')}`,
    culprit: `PersistentVolumeClaim ${claim.name}: ${misses.join(', ').replaceAll('`', '')}`,
    advice: `Create the claim again so that it fits the volume ${code(volume.name)}, or a volume that fits the claim: what a claim asks for cannot be changed.`,
  };
}

function missesOf(claim: ClaimAround, volume: VolumeAround, own: string): string[] {
  const [wants, has] = [parseQuantity(claim.size), parseQuantity(volume.size)];
  const modes = (claim.accessModes ?? []).filter((mode) => !volume.accessModes.includes(mode));
  const named = (storageClass: string): string => (storageClass === '' ? 'no storage class' : `the storage class ${code(storageClass)}`);
  return [
    ...((claim.storageClass ?? '') === volume.storageClass
      ? []
      : [`it has ${named(volume.storageClass)} and the claim ${named(claim.storageClass ?? '')}`]),
    ...(wants !== undefined && has !== undefined && has < wants
      ? [`it has ${code(volume.size ?? '')} and the claim asks for ${code(claim.size ?? '')}`]
      : []),
    ...modes.map((mode) => `it has not the access mode ${code(mode)}`),
    ...(volume.claim === undefined || volume.claim === own ? [] : [`it is kept for the claim ${code(volume.claim)}`]),
  ];
}

/**
 * The claim names a volume that another claim has or had. Where the volume is known and waits for a claim of this name, that claim was deleted and
 * made again. Volumes that are in use are not known here: nobody may be told to free those.
 */
function keptVolume({ subject }: RuleInput, { name, problem }: ClaimAround): ReturnType<typeof waitingClaim> {
  const volume = /volume "([^"]{1,253})" already bound to a different claim/.exec(problem ?? '')?.[1];
  if (volume === undefined) return undefined;
  const owner = subject.surroundings?.volumes?.find((one) => one.name === volume)?.claim;
  const culprit = `PersistentVolumeClaim ${name}: volume ${volume}`;
  if (owner === undefined)
    return {
      because: `its claim ${code(name)} names the volume ${code(volume)}, which is bound to another claim`,
      culprit,
      advice: `See whose it is with \`kubectl get persistentvolume ${volume}\`. If that claim is there, name another volume, or none. Only if it was deleted, free the volume, which keeps its data: remove its \`claimRef\`.`,
    };
  if (owner !== `${subject.namespace}/${name}`)
    return {
      because: `its claim ${code(name)} names the volume ${code(volume)}, which belongs to the claim ${code(owner)}`,
      culprit,
      advice: `Name another volume in the claim, or none: ${code(volume)} serves ${code(owner)}.`,
    };
  return {
    because: `its claim ${code(name)} names the volume ${code(volume)}, which still belongs to a claim that was deleted`,
    culprit,
    advice: `Free the volume, which keeps its data: \`kubectl patch persistentvolume ${volume} -p '{"spec":{"claimRef":null}}'\`. The claim then takes it.`,
  };
}

/** What the claim and its event say about it. Undefined if they say nothing. */
function told(claim: ClaimAround, absent: string | undefined): ReturnType<typeof waitingClaim> {
  const { name, problem = '', storageClass } = claim;
  if (!absent && !problem && storageClass !== '') return undefined;
  if (!absent && !storageClass) return withoutClass(claim);
  if (!absent)
    return {
      because: `its claim ${code(name)} gets no volume: ${code(problem, 300)}`,
      culprit: `PersistentVolumeClaim ${name}: storage class ${storageClass}`,
      advice: "Look at the claim's events and at the pods of the class's provisioner.",
    };
  return {
    because: `its claim ${code(name)} names the storage class ${code(absent)}, which does not exist`,
    culprit: `PersistentVolumeClaim ${name}: storage class ${absent}`,
    advice: `Create the claim again with a class that exists (\`kubectl get storageclasses\`), or create the class ${code(absent)}: the class of a claim cannot be changed.`,
  };
}

/** Whether an event about a claim without a class says more than that it has none. */
function isMismatch(problem: string | undefined): problem is string {
  return problem !== undefined && problem !== '' && !problem.endsWith('no storage class is set');
}

/** No provisioner creates a volume for such a claim. An existing volume must fit it. */
function withoutClass({ name, problem = '', accessModes = [] }: ClaimAround): ReturnType<typeof waitingClaim> {
  const modes = accessModes.length > 0 ? ` (access mode ${accessModes.map((mode) => code(mode)).join(', ')})` : '';
  return {
    because: `its claim ${code(name)} ${isMismatch(problem) ? `gets no volume: ${code(problem, 300)}` : `has no storage class, and no existing volume fits it${modes}`}`,
    culprit: `PersistentVolumeClaim ${name}`,
    advice:
      'Compare the claim with the volumes (`kubectl get persistentvolumes`): size, access modes, `volumeName`, selector. Create a volume that fits, or create the claim again with a storage class.',
  };
}

/** An existing claim with a similar name. A mirror may not use a claim that the source does not name. */
export function otherClaim(input: RuleInput, claim: string): Correction[] {
  const place = input.place(null);
  const index = place?.spec.volumes?.findIndex((volume) => volume.persistentVolumeClaim?.claimName === claim) ?? -1;
  if (!place || index < 0) return [];
  const claims = input.subject.surroundings?.claims ?? [];
  const near = nearestClaim(
    claim,
    claims.map(({ name }) => name),
  );
  // A bound claim that no pod uses is left over, or was made for this pod.
  const [free, ...more] = near.length > 0 ? [] : claims.filter(({ phase, usedOn }) => phase === 'Bound' && usedOn === undefined);
  const others = free && more.length === 0 ? [free.name] : near;
  return others.slice(0, 2).map((guess) => ({
    title: `Use the claim ${code(guess)}`,
    changes: [
      change(
        place,
        fieldPath(place.specPath, 'volumes', index, 'persistentVolumeClaim', 'claimName'),
        guess,
        free ? `no pod uses ${code(guess)}, which is bound` : `${code(claim)} looks like a typo of ${code(guess)}, which exists`,
      ),
    ],
    confidence: free ? 'guess' : 'likely',
    explanation: free ? 'It is the only claim of the namespace that no pod uses.' : `The namespace has the claim ${code(guess)}.`,
    mirrorable: false,
  }));
}

/** A similar name. The name of a StatefulSet's claim ends with the number of its pod (Kubernetes, "StatefulSets": Stable Storage). */
function nearestClaim(claim: string, names: string[]): string[] {
  const near = nearestName(claim, names);
  if (near.length > 0) return near;
  const ofSets = names.flatMap((name) => (/-\d+$/.test(name) ? [[name.replace(/-\d+$/, ''), name] as const] : []));
  const found = nearestName(
    claim,
    ofSets.map(([stem]) => stem),
  );
  const wanted = ofSets.filter(([stem]) => found.includes(stem) || stem === claim).map(([, name]) => name);
  return wanted.length === 1 ? wanted : [];
}
