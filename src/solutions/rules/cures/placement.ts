import { fieldPath } from '../../fix/apply.ts';
import { nearest } from '../../fix/nearest.ts';
import { code } from '../../quote.ts';
import type { RuleCorrection } from '../answer.ts';
import { change, type Place, type Scene } from '../rule.ts';
import { appended } from './folder.ts';

type Labels = Record<string, string>;

/** What the pod asks of a node's labels, and its corrections: the label that nodes have, else no such wish. */
export function choiceOfNodes(scene: Scene): { wanted: string; corrections: RuleCorrection[] } {
  const place = scene.place(null);
  if (!place) return { wanted: '', corrections: [] };
  const labels = (scene.subject.surroundings?.nodes ?? []).map((node) => node.labels);
  const selectors = Object.entries(place.spec.nodeSelector ?? {}).filter(
    ([key, value]) => labels.length === 0 || !labels.some((own) => own[key] === value),
  );
  const bySelector = selectors.flatMap(([key, value]) => selectorCorrections(place, labels, key, value));
  const terms = place.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const needs = terms.flatMap((term) => term.matchExpressions ?? []);
  const words = [
    ...selectors.map(([key, value]) => `${key}=${value}`),
    ...needs.map((need) => `${need.key} ${need.operator}${need.values?.length ? ` ${need.values.join(',')}` : ''}`),
  ];
  const all = Object.keys(place.spec.nodeSelector ?? {});
  // Several selectors and no knowledge of the nodes: only all of them together are certain to hinder.
  const joined = labels.length === 0 && all.length > 1 ? [withoutSelector(place)] : bySelector;
  return { wanted: words.join(', ').slice(0, 200), corrections: [...joined, ...affinityCorrections(place, labels)] };
}

function selectorCorrections(place: Place, labels: Labels[], key: string, value: string): RuleCorrection[] {
  const path = fieldPath(place.specPath, 'nodeSelector', key);
  const values = labels.flatMap((own) => own[key] ?? []);
  const fix = (
    title: string,
    changes: RuleCorrection['changes'],
    explanation: string,
    confidence: RuleCorrection['confidence'],
  ): RuleCorrection => ({ title, changes, confidence, explanation, mirrorable: true });
  const byValue = nearest(value, values)
    .slice(0, 1)
    .map((guess) =>
      fix(
        `Select ${code(`${key}=${guess}`)}`,
        [change(place, path, guess, `nodes have ${code(`${key}=${guess}`)}`)],
        `${code(value)} looks like a slip.`,
        'likely',
      ),
    );
  const keys = labels.flatMap((own) => Object.keys(own).filter((other) => own[other] === value));
  const byKey = nearest(key, keys)
    .slice(0, 1)
    .map((guess) =>
      fix(
        `Select ${code(`${guess}=${value}`)}`,
        [
          change(place, path, null, `no node has the label ${code(key)}`),
          change(place, fieldPath(place.specPath, 'nodeSelector', guess), value, `nodes have ${code(`${guess}=${value}`)}`),
        ],
        `${code(key)} looks like a slip.`,
        'likely',
      ),
    );
  const without = fix(
    `Do without ${code(`${key}=${value}`)}`,
    [change(place, path, null, 'no node has this label')],
    'The pod may then run on any node: right only when it needs nothing that the label stands for.',
    byValue.length + byKey.length > 0 ? 'guess' : 'likely',
  );
  return [...byValue, ...byKey, without];
}

function withoutSelector(place: Place): RuleCorrection {
  return {
    title: 'Do without the node selector',
    changes: [change(place, fieldPath(place.specPath, 'nodeSelector'), null, 'no node has all of these labels')],
    confidence: 'guess',
    explanation: 'The pod may then run on any node.',
    mirrorable: true,
  };
}

function affinityCorrections(place: Place, labels: Labels[]): RuleCorrection[] {
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const terms = place.spec.affinity?.nodeAffinity?.[required]?.nodeSelectorTerms ?? [];
  if (terms.length === 0) return [];
  const path = fieldPath(place.specPath, 'affinity', 'nodeAffinity', required);
  const slips = terms.flatMap((term, at) =>
    (term.matchExpressions ?? []).flatMap(({ key, operator, values }, index) => {
      const wanted = operator === 'In' && values?.length === 1 ? values[0] : undefined;
      const [guess] =
        wanted === undefined
          ? []
          : nearest(
              wanted,
              labels.flatMap((own) => own[key] ?? []),
            );
      if (guess === undefined) return [];
      const at0 = fieldPath(path, 'nodeSelectorTerms', at, 'matchExpressions', index, 'values', 0);
      return [
        {
          title: `Require ${code(`${key}=${guess}`)}`,
          changes: [change(place, at0, guess, `nodes have ${code(`${key}=${guess}`)}`)],
          confidence: 'likely' as const,
          explanation: `${code(wanted ?? '')} looks like a slip.`,
          mirrorable: true,
        },
      ];
    }),
  );
  const without: RuleCorrection = {
    title: 'Do without the required node affinity',
    changes: [change(place, path, null, 'no node is as it requires')],
    confidence: slips.length > 0 ? 'guess' : 'likely',
    explanation: 'The pod may then run on any node: right only when it needs nothing that the labels stand for.',
    mirrorable: true,
  };
  return [...slips, without];
}

/** A toleration for a taint: more power than before, so a mirror may not run it. None for taints of nodes in trouble. */
export function tolerate(scene: Scene, taint: string): RuleCorrection[] {
  const place = scene.place(null);
  const [key = '', value] = taint.split('=', 2);
  if (!place || key === '' || /^node\.(?:kubernetes\.io|cloudprovider)|control-plane|master/.test(key)) return [];
  const effects = (scene.subject.surroundings?.nodes ?? []).flatMap((node) =>
    node.taints.filter((own) => own.key === key).map((own) => own.effect),
  );
  const toleration = {
    key,
    operator: value ? 'Equal' : 'Exists',
    ...(value ? { value } : {}),
    ...(effects[0] ? { effect: effects[0] } : {}),
  };
  return [
    {
      title: `Tolerate ${code(taint)}`,
      changes: [
        appended(
          place,
          fieldPath(place.specPath, 'tolerations'),
          place.spec.tolerations,
          toleration,
          'the nodes keep pods away that do not say this',
        ),
      ],
      confidence: 'guess',
      explanation: 'Right only when the pod belongs on these nodes: the taint was set to keep pods away.',
      mirrorable: false,
    },
  ];
}

/** The claim of nearly that name. A mirror may not use a claim that the source does not name. */
export function otherClaim(scene: Scene, claim: string): RuleCorrection[] {
  const place = scene.place(null);
  const index = place?.spec.volumes?.findIndex((volume) => volume.persistentVolumeClaim?.claimName === claim) ?? -1;
  if (!place || index < 0) return [];
  return nearest(
    claim,
    (scene.subject.surroundings?.claims ?? []).map(({ name }) => name),
  )
    .slice(0, 2)
    .map((guess) => ({
      title: `Use the claim ${code(guess)}`,
      changes: [
        change(
          place,
          fieldPath(place.specPath, 'volumes', index, 'persistentVolumeClaim', 'claimName'),
          guess,
          `${code(claim)} looks like a slip of ${code(guess)}, which exists`,
        ),
      ],
      confidence: 'likely',
      explanation: 'The namespace has a claim of nearly that name.',
      mirrorable: false,
    }));
}

/** Leaves out host ports. A mirror never has any, so it cannot prove this. */
export function hostPorts(scene: Scene): { culprit: string; corrections: RuleCorrection[] } {
  const place = scene.place(null);
  const found = (place?.spec.containers ?? []).flatMap((container, at) =>
    (container.ports ?? []).flatMap((port, index) => (port.hostPort ? [{ at, index, port: port.hostPort }] : [])),
  );
  const culprit = found.length > 0 ? `hostPort ${found.map(({ port }) => port).join(', ')}` : 'hostPort';
  if (!place || found.length === 0) return { culprit, corrections: [] };
  const changes = found.map(({ at, index, port }) =>
    change(place, fieldPath(place.specPath, 'containers', at, 'ports', index, 'hostPort'), null, `port ${code(port)} of the node is taken`),
  );
  return {
    culprit,
    corrections: [
      {
        title: 'Do without the host port',
        changes,
        confidence: 'likely',
        explanation: 'Let a Service give the pod its address.',
        mirrorable: false,
      },
    ],
  };
}

/** Prefers in place of requiring. A mirror has none of its source's labels, so it cannot prove this. */
export function podAffinity(scene: Scene, kind: 'podAffinity' | 'podAntiAffinity'): RuleCorrection[] {
  const place = scene.place(null);
  const required = place?.spec.affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!place || !Array.isArray(required) || required.length === 0) return [];
  const base = fieldPath(place.specPath, 'affinity', kind);
  const preferred = required.map((podAffinityTerm: unknown) => ({ weight: 100, podAffinityTerm }));
  return [
    {
      title: 'Prefer it, do not require it',
      changes: [
        change(place, fieldPath(base, 'requiredDuringSchedulingIgnoredDuringExecution'), null, 'no node can keep it'),
        change(place, fieldPath(base, 'preferredDuringSchedulingIgnoredDuringExecution'), preferred, 'the scheduler keeps it where it can'),
      ],
      confidence: 'likely',
      explanation: 'The pod then runs although the wish cannot be met.',
      mirrorable: false,
    },
  ];
}

/** Spreads where it can. A mirror has none of its source's labels, so it cannot prove this. */
export function spread(scene: Scene): RuleCorrection[] {
  const place = scene.place(null);
  const constraints = place?.spec.topologySpreadConstraints ?? [];
  if (!place || constraints.length === 0) return [];
  const changes = constraints.flatMap((constraint, index) =>
    constraint.whenUnsatisfiable === 'ScheduleAnyway'
      ? []
      : [
          change(
            place,
            fieldPath(place.specPath, 'topologySpreadConstraints', index, 'whenUnsatisfiable'),
            'ScheduleAnyway',
            'no node keeps the spread',
          ),
        ],
  );
  return [
    {
      title: 'Spread where it can',
      changes,
      confidence: 'likely',
      explanation: 'The pod then runs although the spread is uneven.',
      mirrorable: false,
    },
  ];
}
