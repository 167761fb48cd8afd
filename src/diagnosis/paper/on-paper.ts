import { applyChanges, ChangeError, fieldPath } from '../../crd/field-path.ts';
import type { Correction } from '../corrections/correction.ts';
import { joined } from '../corrections/combine.ts';
import { otherReferences } from '../corrections/references.ts';
import { missingIn, type Reference, referencesIn } from '../facts/references.ts';
import { podSpecIn } from '../facts/manifest.ts';
import { code } from '../rendering/quote.ts';
import { type ContainerPlace, type RuleInput, ruleInput } from '../facts/input.ts';
import { outsideRange, quotaExceeded, refusedSecurity } from './admission.ts';
import { strayProbe } from './probes.ts';
import { heldElsewhere, isPlacing, keyOfNoNode, obstacleOnNodes, roomLost } from './placement.ts';

/** The maximum number of obstacles that are repaired together. */
const MAX_ROUNDS = 8;

/** An obstacle for the corrected pod: the correction that ends it, or only its description. */
export interface Obstacle {
  correction?: Correction | undefined;
  /** One sentence; Markdown. */
  remains: string;
}

/**
 * Tries a correction on paper: the changed pod goes through all checks that need no cluster, and what they find is corrected as well. If
 * something remains that no change ends, the correction becomes a guess and says what remains. Never throws.
 */
export function onPaper(input: RuleInput, correction: Correction): Correction {
  // The pod stays the same. The owner's rollout was checked when the correction was made.
  if (correction.changes.every(({ of }) => of === 'owner')) return correction;
  const parts = [correction];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const whole = joined(correction, ...parts.slice(1));
    const changed = changedInput(input, whole);
    // A change that does not fit the manifest is refused later with a reason.
    if (!changed) return whole;
    const obstacle = firstObstacle(input, changed, whole);
    if (!obstacle) return whole;
    const repeated = obstacle.correction && JSON.stringify(joined(whole, obstacle.correction).changes) === JSON.stringify(whole.changes);
    if (!obstacle.correction || repeated)
      return { ...whole, confidence: 'guess', explanation: `${whole.explanation} ${obstacle.remains}`.trim() };
    parts.push(obstacle.correction);
  }
  return { ...joined(correction, ...parts.slice(1)), confidence: 'guess' };
}

function changedInput(input: RuleInput, { changes }: Correction): RuleInput | undefined {
  const object = input.subject.manifest();
  if (!object) return undefined;
  try {
    const changed = applyChanges(object, changes);
    return podSpecIn(changed) ? ruleInput({ ...input.subject, manifest: () => changed }, input.facts) : undefined;
  } catch (error) {
    if (error instanceof ChangeError) return undefined;
    throw error;
  }
}

function firstObstacle(before: RuleInput, after: RuleInput, correction: Correction): Obstacle | undefined {
  const placing = isPlacing(before.subject.reason) ? (obstacleOnNodes(after) ?? keyOfNoNode(after)) : roomLost(before, after, correction);
  return (
    placing ??
    missingReference(before, after) ??
    refusedSecurity(before, after) ??
    outsideRange(after, correction) ??
    quotaExceeded(before, after) ??
    heldElsewhere(before, after) ??
    strayProbe(after)
  );
}

/** The containers of the pod that have run: everything that they name was there. */
function startedContainers({ subject }: RuleInput): Set<string> {
  const started = subject.statuses.filter(
    ({ state, last_state, restart_count }) => state !== 'waiting' || last_state || (restart_count ?? 0) > 0,
  );
  return new Set(started.map(({ name }) => name));
}

/** What the containers name that have not run yet. Volumes are there when one container has run. */
function openReferences(before: RuleInput, { spec, specPath }: ContainerPlace): Reference[] {
  const started = startedContainers(before);
  if (started.size === 0) return referencesIn(spec, specPath);
  const lists = ['initContainers', 'containers'] as const;
  const open = lists.flatMap((list) =>
    (spec[list] ?? []).flatMap(({ name }, index) => (started.has(name) ? [] : [`${fieldPath(specPath, list, index)}.`])),
  );
  return referencesIn(spec, specPath).filter(({ namePath }) => open.some((path) => namePath.startsWith(path)));
}

/** A missing object or key that the pod names and that is not the failure being corrected. */
function missingReference(before: RuleInput, after: RuleInput): Obstacle | undefined {
  const place = after.place(null);
  const { surroundings } = after.subject;
  if (!place || !(surroundings?.configMaps ?? surroundings?.secrets)) return undefined;
  for (const missing of missingIn(openReferences(before, place), surroundings)) {
    const near = otherReferences(after, missing).find(({ confidence }) => confidence !== 'guess');
    const { what, name, key } = missing;
    const thing = key === null ? `${what} ${code(name)}` : `key ${code(key)} in ${what} ${code(name)}`;
    if (near) return { correction: near, remains: '' };
    // The list is known to be complete when it contains the ConfigMap that every namespace has.
    if (surroundings?.configMaps?.some((one) => one.name === 'kube-root-ca.crt') && isNew(before, missing))
      return { remains: `There is no ${thing} either.` };
  }
  return undefined;
}

/** The missing object in the message itself is what the correction is about. */
function isNew(before: RuleInput, { name, key }: { name: string; key: string | null }): boolean {
  return !before.facts('missing').some((fact) => (fact.name === name || fact.name === '') && fact.key === key);
}
