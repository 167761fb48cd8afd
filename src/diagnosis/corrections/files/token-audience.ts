import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { logSections } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';

/** A projected token of the pod: for whom it is made, and the field that says so. */
interface Audience {
  audience: string;
  path: string;
}

/** The projected service account tokens that the container mounts, as far as they name an audience. */
export function audiences(input: RuleInput): Audience[] {
  const place = input.place();
  const mounted = new Set(place?.container?.volumeMounts?.map(({ name }) => name));
  return (place?.spec.volumes ?? []).flatMap((volume, at) =>
    (mounted.has(volume.name) ? (volume.projected?.sources ?? []) : []).flatMap((source, index): Audience[] => {
      const audience = source.serviceAccountToken?.audience;
      const path = fieldPath(place?.specPath ?? 'spec', 'volumes', at, 'projected', 'sources', index, 'serviceAccountToken', 'audience');
      return audience === undefined ? [] : [{ audience, path }];
    }),
  );
}

/** The audience that the line says is expected, or else `vault`, which roles in Vault are usually bound to. Only for a single token. */
export function otherAudience(input: RuleInput, line: string): Correction[] {
  const place = input.place();
  const [only, ...more] = audiences(input);
  if (!place || !only || more.length > 0) return [];
  const named = /\bexpect(?:ed|s|ing)?\b[^\w]{0,12}(?:one of |audience )?[^\w]{0,4}([\w.:/-]{2,200})/i.exec(line)?.[1];
  const isVault = logSections(input.subject).some(({ text }) => /vault/i.test(text.slice(0, 20_000)));
  // AWS, "IAM roles for service accounts".
  const isAws = /AssumeRoleWithWebIdentity/.test(line);
  const to = isAws ? 'sts.amazonaws.com' : named !== undefined && !/audience/i.test(named) ? named : isVault ? 'vault' : undefined;
  if (to === undefined || to === only.audience) return [];
  return [
    {
      title: `Make the token for ${code(to)}`,
      changes: [change(place, only.path, to, 'the server accepts only tokens that are made for it')],
      confidence: to === named || isAws ? 'likely' : 'guess',
      explanation: 'An audience names the server for which a token is made.',
      mirrorable: false,
    },
  ];
}
