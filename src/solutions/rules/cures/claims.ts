import { nearest } from '../../fix/nearest.ts';
import { code } from '../../quote.ts';
import type { Scene } from '../rule.ts';

/** Why the pod's first unbound claim waits, as far as its storage class tells; undefined when nothing is known of either. */
export function waitingClaim(scene: Scene): { because: string; culprit: string; advice: string } | undefined {
  const { claims = [], storageClasses } = scene.subject.surroundings ?? {};
  const named = (scene.place()?.spec.volumes ?? []).flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? []);
  const claim = claims.find(({ name, phase }) => named.includes(name) && phase !== 'Bound');
  if (!claim || !storageClasses) return undefined;
  const { name, storageClass } = claim;
  const its = `its claim ${code(name)}`;
  const choice = storageClasses.map((one) => code(one.name)).slice(0, 10);
  const there = choice.length > 0 ? `The cluster has ${choice.join(', ')}.` : 'The cluster has none at all.';
  if (!storageClass) {
    if (storageClass === undefined && storageClasses.some(({ isDefault }) => isDefault)) return undefined;
    const why = storageClass === undefined ? 'and none is the default' : 'so only a volume that somebody made can serve it';
    return {
      because: `${its} names no storage class, ${why}`,
      culprit: `PersistentVolumeClaim ${name}: no storage class`,
      advice: `Make a volume for it, or make the claim anew with a storage class. ${there}`,
    };
  }
  const culprit = `PersistentVolumeClaim ${name}: storage class ${storageClass}`;
  if (storageClasses.some((one) => one.name === storageClass))
    return {
      because: `${its} waits for a volume of storage class ${code(storageClass)}`,
      culprit,
      advice: `The class exists: look at the claim's events and at the pods of its provisioner.`,
    };
  const names = storageClasses.map((one) => one.name);
  const [guess] = nearest(storageClass, names);
  return {
    because: `${its} names the storage class ${code(storageClass)}, which does not exist${guess ? ` (nearly the same name: ${code(guess)})` : ''}`,
    culprit,
    advice: `Make the claim anew with a class that exists${guess ? `, ${code(guess)} perhaps` : ''}: the class of a claim cannot be changed. ${there}`,
  };
}
