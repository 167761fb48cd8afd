import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import type { FailingProbe } from './failing-probe.ts';

const REFERENCE = /\$\((\w{1,80})\)|\$\{(\w{1,80})\}|\$([A-Z][A-Z0-9_]{1,80})\b/g;

/** The path of a probe with the values of the variables in it. Kubernetes replaces them in `command`, `args` and `env` only. */
export function withValues({ container, place, probe, path }: FailingProbe): Correction[] {
  const own = probe.httpGet?.path ?? '';
  const names = [...own.matchAll(REFERENCE)].map(([, reference, braces, plain]) => reference ?? braces ?? plain ?? '');
  const values = new Map((container.env ?? []).map(({ name, value }) => [name, value]));
  const isKnown = (name: string): boolean => /^[\w./-]{1,200}$/.test(values.get(name) ?? '');
  if (names.length === 0 || !names.every(isKnown)) return [];
  const filled = own.replaceAll(REFERENCE, (_, reference, braces, plain) => values.get(reference ?? braces ?? plain) ?? '');
  const to = `/${filled}`.replaceAll(/\/{2,}/g, '/');
  return [
    {
      title: `Probe the path ${code(to)}`,
      changes: [change(place, fieldPath(path, 'httpGet', 'path'), to, 'nothing replaces a variable in the path of a probe')],
      confidence: 'likely',
      explanation: `Kubernetes replaces \`$(NAME)\` in \`command\`, \`args\` and \`env\` only: the server is asked for ${code(own)} as it stands.`,
      mirrorable: true,
    },
  ];
}
