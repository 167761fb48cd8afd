import type { PodSpec } from '../../crd/kubernetes.ts';
import type { MissingFact } from '../facts/config.ts';
import { hasKey, keysText, otherReferences } from '../corrections/references.ts';
import { code } from '../rendering/quote.ts';
import { describe, kubectl } from '../rendering/commands.ts';
import { factOf, type RuleInput, who } from '../facts/input.ts';
import { type DiagnosisRule } from './rule.ts';

/** A variable or volume names a ConfigMap, a Secret or a key that does not exist. */
export const configMissing: DiagnosisRule = {
  id: 'config-missing',
  reasons: ['CreateContainerConfigError', 'FailedMount'],
  answer(input) {
    const fact = factOf(input, 'missing');
    if (!fact) return undefined;
    const missing = { ...fact, name: fact.name || nameOfVolume(input, fact) };
    const { what, name, key } = missing;
    const thing = key === null ? `${what} ${code(name)}` : `key ${code(key)} in ${what} ${code(name)}`;
    const kind = what.toLowerCase();
    const isThere = key !== null && hasKey(input, missing);
    return {
      summary: `${who(input)} cannot start: ${isThere ? 'the kubelet did not find the' : 'there is no'} ${thing}${fact.volume ? `, which volume ${code(fact.volume)} needs` : ''}.`,
      culprit: key === null ? `${what} ${name}` : `key ${key} in ${what} ${name}`,
      evidence: [fact.evidence],
      advice: [
        key === null
          ? `Create the ${what} ${code(name)} in namespace ${code(input.subject.namespace)}, or correct its name.`
          : isThere
            ? keyIsThere(missing)
            : [`Add the key ${code(key)} to ${what} ${code(name)}, or correct the key that the pod names.`, keysText(input, missing) ?? '']
                .join(' ')
                .trim(),
      ],
      commands: [
        key === null ? kubectl(input.subject, 'get', `${kind}s`) : kubectl(input.subject, 'describe', kind, name),
        describe(input.subject),
      ],
      corrections: isThere ? [] : otherReferences(input, missing),
      noCorrection: {
        why: isThere
          ? `The ${what} has the key now, and the manifest names it rightly.`
          : `Somebody must create the ${thing}. The manifest only names it.`,
        whereToLook: `the ${what}s of the namespace, and what should have created this one`,
      },
    };
  },
};

/** What to do about a key that is missed and exists. */
function keyIsThere({ what, name, key, volume }: MissingFact): string {
  const has = `${what} ${code(name)} has the key ${code(key ?? '')} now. Wait a minute: if the key came after the pod, the container starts by itself. If it does not, delete the pod, so that it is made anew.`;
  if (what === 'Secret' || volume) return has;
  return `${has} If it stands under \`binaryData\`, no variable can have it: mount it as a file, or write its text under \`data\`.`;
}

function nameOfVolume(input: RuleInput, { what, volume, key }: MissingFact): string {
  const spec: PodSpec | undefined = input.place()?.spec;
  const found = spec?.volumes?.find(({ name }) => name === volume);
  const field = what === 'Secret' ? 'secret' : 'configMap';
  const projected = (found?.projected?.sources ?? []).flatMap((source) => {
    const one = source[field];
    return one?.items?.some((item) => item.key === key) ? (one.name ?? []) : [];
  });
  return (what === 'Secret' ? found?.secret?.secretName : found?.configMap?.name) ?? projected[0] ?? volume ?? '';
}
