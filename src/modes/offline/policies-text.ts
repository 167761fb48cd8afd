import type { CheckTexts } from '../../checks/check.ts';
import type { PolicyOptions } from '../../checks/policies/cel.ts';
import { policiesOf } from '../../checks/policies/policies.ts';
import { dumpManifest } from '../../crd/manifest.ts';
import { InputError } from '../mode.ts';

/** The checks as policies with their bindings, in YAML. Comments name checks without a policy. Throws InputError when no check has one. */
export function asPolicies(checks: readonly CheckTexts[], options: PolicyOptions): string {
  const { policies, without } = policiesOf(checks, options);
  const reasons = without.map(({ id, why }) => `${id}: ${why}`);
  if (policies.length === 0) throw new InputError(`no policy can be printed (${reasons.join('; ') || 'no check is chosen'})`);
  const documents = policies.flatMap(({ policy, binding }) => [policy, binding]).map((object) => dumpManifest(object));
  return [...reasons.map((text) => `# No policy for ${text}.\n`), documents.join('---\n')].join('');
}
