import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';

const ADDRESSES = /^(?:ASPNETCORE|DOTNET)_URLS$/;
const PORTS = /^(?:ASPNETCORE|DOTNET)_HTTPS_PORTS?$/;
const OPTION = /^--urls=/;
const WHY = 'it has no certificate for HTTPS';

/**
 * For a .NET program that listens with HTTPS but has no certificate: removes its HTTPS addresses. If it has no other address, changes them to
 * HTTP instead. That is a guess, because clients that use HTTPS must then use HTTP.
 */
export function withoutHttps(input: RuleInput): Correction[] {
  const place = input.place();
  const { env = [], args = [] } = place?.container ?? {};
  if (!place) return [];
  const option = args.findIndex((word) => OPTION.test(word));
  if (option >= 0)
    return plain(args[option]?.replace(OPTION, ''), (to) => change(place, fieldPath(place.path, 'args', option), `--urls=${to}`, WHY));
  const variable = env.findIndex(({ name }) => ADDRESSES.test(name));
  if (variable >= 0)
    return plain(
      env[variable]?.value,
      (to) => change(place, fieldPath(place.path, 'env', variable, 'value'), to, WHY),
      env[variable]?.name,
    );
  const ports = env.findIndex(({ name }) => PORTS.test(name));
  if (ports < 0) return [];
  return [
    {
      title: `Remove the variable ${code(env[ports]?.name ?? '')}`,
      changes: [change(place, fieldPath(place.path, 'env', ports), null, WHY)],
      confidence: 'likely',
      explanation: 'The program then listens with HTTP only.',
      mirrorable: true,
    },
  ];
}

function plain(written: string | undefined, to: (value: string) => Correction['changes'][0], variable = '--urls'): Correction[] {
  const all = (written ?? '').split(';').map((one) => one.trim());
  const http = all.filter((one) => one.startsWith('http://'));
  if (!all.some((one) => one.startsWith('https://'))) return [];
  return [
    {
      title: `Listen with HTTP only (${code(variable)})`,
      changes: [to(http.length > 0 ? http.join(';') : all.map((one) => one.replace(/^https:/, 'http:')).join(';'))],
      confidence: http.length > 0 ? 'likely' : 'guess',
      explanation:
        http.length > 0
          ? 'The program listens with HTTP beside it already.'
          : 'Who calls it with HTTPS must then call it with HTTP: its Service, its Ingress and its probes.',
      mirrorable: true,
    },
  ];
}
