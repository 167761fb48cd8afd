import { maskManifest } from '../../redact/manifest.ts';
import type { Check, Violation } from '../check.ts';
import { indexed, owner, placesOf, type Place } from '../containers.ts';

const REFERENCES = ['https://kubernetes.io/docs/concepts/security/secrets-good-practices/'];

export const secretInEnv: Check = {
  id: 'secret-in-env',
  title: 'Secret in plain text in an environment variable',
  severity: 'high',
  rationale: 'Everybody who may read the workload, its history in Git or a backup of etcd has the password.',
  remediation: 'Change the password, keep the new one in a Secret, and refer to it with `valueFrom.secretKeyRef` or a volume.',
  references: REFERENCES,
  frameworks: { nsa: ['Secrets'], cis: ['5.4.1'], mitre: ['T1552'] },
  run: ({ template }) => placesOf(template).flatMap(variables),
};

export const secretInArguments: Check = {
  id: 'secret-in-arguments',
  title: 'Secret in plain text on the command line',
  severity: 'high',
  rationale: 'Besides those who may read the workload, everybody who sees the processes of the node reads the command line.',
  remediation: 'Change the password, keep the new one in a Secret, and let the program read it from a file or variable.',
  references: REFERENCES,
  frameworks: { nsa: ['Secrets'], cis: ['5.4.1'], mitre: ['T1552'] },
  run: ({ template }) => placesOf(template).flatMap(words),
};

export const secretAsEnv: Check = {
  id: 'secret-as-env',
  title: 'Secret as an environment variable',
  severity: 'info',
  rationale: 'Programs write their environment to logs and crash reports, and their children inherit it.',
  remediation: 'Mount the Secret as a volume, if the program can read files.',
  references: REFERENCES,
  frameworks: { nsa: ['Secrets'], cis: ['5.4.1'], mitre: ['T1552'] },
  run: ({ template }) =>
    placesOf(template).flatMap((place) =>
      indexed(place.container.env)
        .filter(([{ valueFrom }]) => Boolean(valueFrom?.secretKeyRef))
        .map(([{ name }, index]) => ({
          ...owner(place),
          path: `${place.path}.env[${index}].valueFrom.secretKeyRef`,
          problem: `gets a Secret as its variable ${name}`,
          cures: [],
        })),
    ),
};

/** Variables that masking would hide. Both use the same rules, so no value that is found here is ever shown. */
function variables(place: Place): Violation[] {
  return indexed(place.container.env).flatMap(([{ name, value }, index]) => {
    if (typeof value !== 'string' || typeof name !== 'string') return [];
    if (maskManifest({ name, value }).value === value) return [];
    return [{ ...owner(place), path: `${place.path}.env[${index}].value`, problem: `has a secret in its variable ${name}`, cures: [] }];
  });
}

function words(place: Place): Violation[] {
  return (['command', 'args'] as const).flatMap((field) => {
    const list = place.container[field];
    if (!Array.isArray(list)) return [];
    const masked = maskManifest(list);
    return list.flatMap((word, index) =>
      typeof word === 'string' && masked[index] !== word
        ? [{ ...owner(place), path: `${place.path}.${field}[${index}]`, problem: `has a secret in its ${field}`, cures: [] }]
        : [],
    );
  });
}
