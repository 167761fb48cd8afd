import { code } from '../../rendering/quote.ts';
import { logSections } from '../../facts/log-sections.ts';
import { isSet } from '../../corrections/settings/variable.ts';
import type { RuleInput } from '../../facts/input.ts';
import { explainVariable } from './environment.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import type { Signature } from './signature.ts';

const FILLED =
  'Somebody must fill the placeholder before the program reads it: with `envsubst` in the entrypoint, or with the value itself.';

/** `${NAME}` in an error: the container has no such variable, or the program does not replace what it reads. */
export const placeholderSignatures: readonly Signature[] = [
  {
    id: 'placeholder-left',
    hints: ['${', 'missing environment variable in config'],
    pattern:
      /^(?=.{0,900}(?:[Ee]rror|ERROR|[Ff]ail|FATAL|[Ii]nvalid|[Cc]annot|[Cc]an't|[Cc]ould not|not found|NOTFOUND|[Uu]nknown|[Uu]nable|refused|emerg|parse|[Nn]o such)).{0,900}?\$\{(?:env:)?(?<left>[A-Z][A-Z0-9_]{1,80})\}|[Mm]issing environment variable in config\. name = "(?<named>\w{1,80})"/,
    explain: ({ left, named }, input, line) => {
      const name = left ?? named ?? '';
      if (left === undefined || !isSet(input, name)) return { ...explainVariable({ name }, input, ''), culprit: name };
      return {
        because: `its configuration has the placeholder ${code(`\${${name}}`)}, which the program does not replace`,
        culprit: `\${${name}}`,
        advice: [`${FILLED} The variable ${code(name)} itself is set.`],
        whereToLook: `the variable, argument or file with ${code(`\${${name}}`)}: ${code(line, 120)}`,
      };
    },
  },
];

/** Prefixes of nginx's own variables. */
const OF_NGINX =
  /^(?:args?|binary|body|bytes|connections?|content|cookie|date|document|fastcgi|geoip|gzip|host|hostname|https?|invalid|is|limit|msec|nginx|pid|pipe|proxy|query|quic|realip|realpath|remote|request|scheme|secure|sent|server|slice|spdy|ssl|status|tcpinfo|time|uid|upstream|uri)(?:_|$)/;

/**
 * A variable that nginx does not know, in a file that `envsubst` made of a template: it fills what the container has and leaves the rest, which
 * nginx reads as variables of its own.
 */
export function unfilledTemplate(input: RuleInput, line: string): Meaning | undefined {
  const name = /unknown "([a-z][a-z0-9_]{1,80})" variable/.exec(line)?.[1];
  if (name === undefined || OF_NGINX.test(name)) return undefined;
  const isTemplate =
    logSections(input.subject).some(({ text }) => /\benvsubst\b/.test(text.slice(0, 8000))) ||
    input.place()?.container?.volumeMounts?.some(({ mountPath }) => mountPath.startsWith('/etc/nginx/templates')) === true;
  const variable = name.toUpperCase();
  if (!isTemplate || isSet(input, variable)) return undefined;
  const meaning = explainVariable({ name: variable }, input, '');
  return {
    ...meaning,
    because: `a template of its configuration has ${code(`\${${variable}}`)}, and ${meaning.because}`,
    culprit: variable,
  };
}
