import { parseImage } from '../../../crd/image.ts';
import { fieldPath, valueAt } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { nearestName } from '../similar-names.ts';

/** For pods that name a missing service account: one with a similar name, the only one that people created, or none. */
export function existingAccount(input: RuleInput, missing: string): Correction[] {
  const place = input.place();
  if (!place) return [];
  const known = input.subject.surroundings?.serviceAccounts ?? [];
  const path = fieldPath(place.specPath, 'serviceAccountName');
  const near = nearestName(missing, [...known, 'default']);
  const [only, ...more] = known.filter((name) => name !== 'default');
  const others = near.length > 0 || only === undefined || more.length > 0 ? [] : [only];
  // The API server uses this older name of the field when the newer one is empty.
  const alias = fieldPath(place.specPath, 'serviceAccount');
  const hasAlias = valueAt(place.object, alias) !== null;
  const why = 'every namespace has the account `default`';
  return [
    ...near.map((name): Correction => ({
      title: `Use the service account ${code(name)}`,
      changes: [change(place, path, name, `${code(missing)} looks like a typo of it`)],
      confidence: 'likely',
      explanation: name === 'default' ? 'Every namespace has the account `default`.' : `The namespace has the account ${code(name)}.`,
      mirrorable: false,
    })),
    ...others.map((name): Correction => ({
      title: `Use the service account ${code(name)}`,
      changes: [change(place, path, name, 'it is the only account of the namespace that somebody made')],
      confidence: 'guess',
      explanation: `Look first at what it may do (\`kubectl auth can-i --list --as=system:serviceaccount:${input.subject.namespace}:${name}\`).`,
      mirrorable: false,
    })),
    {
      title: "Use the namespace's own service account",
      changes: [change(place, path, null, why), ...(hasAlias ? [change(place, alias, null, 'an older name of the same field')] : [])],
      confidence: 'guess',
      explanation: 'The pods then run without the rights that the missing account was to have.',
      mirrorable: false,
    },
  ];
}

/**
 * For a program whose service account lacks a permission: another account of the namespace. Its permissions are unknown here, so this is a
 * guess. It is offered only for pods that run as `default`.
 */
export function otherAccount(input: RuleInput, user: string): Correction[] {
  const place = input.place(null);
  const own = place?.spec.serviceAccountName ?? 'default';
  const isOwn = user === '' || user.endsWith(`:${own}`);
  if (!place || own !== 'default' || !isOwn) return [];
  const others = (input.subject.surroundings?.serviceAccounts ?? []).filter((name) => name !== own);
  const { repository } = parseImage(input.place()?.container?.image ?? '');
  const names = [input.subject.workload?.name, place.container?.name, repository.slice(repository.lastIndexOf('/') + 1)].flatMap(
    (name) => name || [],
  );
  const related = others.filter((other) => names.some((name) => name === other || nearestName(name, [other]).length > 0));
  const [only, ...more] = related.length > 0 ? related : others;
  if (only === undefined || more.length > 0) return [];
  return [
    {
      title: `Run as the service account ${code(only)}`,
      changes: [
        change(place, fieldPath(place.specPath, 'serviceAccountName'), only, 'the pod names no service account, so it runs as `default`'),
      ],
      confidence: 'guess',
      explanation: `The namespace has the account ${code(only)}. Look first at what it may do (\`kubectl auth can-i --list --as=…:${only}\`).`,
      mirrorable: false,
    },
  ];
}
