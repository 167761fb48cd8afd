import { fieldPath } from '../../../crd/field-path.ts';
import type { Correction } from '../../corrections/correction.ts';
import { appended } from '../../corrections/change.ts';
import { wordsIn } from '../../corrections/given-values.ts';
import { withVariable } from '../../corrections/settings/set-variable.ts';
import { parseImage } from '../../../crd/image.ts';
import { code } from '../../rendering/quote.ts';
import type { RuleInput } from '../../facts/input.ts';
import { accountToken } from '../../corrections/files/missing-file.ts';
import { renamed } from '../../corrections/settings/rename.ts';
import { explainVariable } from './environment.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import type { Signature } from './signature.ts';

/**
 * Messages of common programs about a missing setting that they do not name: the pattern, and the variable in the program's documentation.
 */
const UNNAMED: readonly [pattern: RegExp, variable: string][] = [
  [/No application encryption key has been specified/, 'APP_KEY'],
  [/You must specify a region|[Mm]issing [Rr]egion\b|NoRegionError|could not find region configuration/, 'AWS_REGION'],
  [/hostname is not configured; either configure hostname|Strict hostname resolution configured but no hostname/, 'KC_HOSTNAME'],
  [/Missing `?secret_key_base`?/, 'SECRET_KEY_BASE'],
  [/Could not locate a Flask application/, 'FLASK_APP'],
  [/settings are not configured\. You must either define/, 'DJANGO_SETTINGS_MODULE'],
  [/must set settings\.ALLOWED_HOSTS/, 'ALLOWED_HOSTS'],
  // SQL Server, "Environment variables".
  [/ACCEPT_EULA environment variable/, 'ACCEPT_EULA'],
  // cloudflared, "Run parameters".
  [/requires the ID or name of the tunnel/, 'TUNNEL_TOKEN'],
  [/Key material not provided to setup HTTPS/, 'KC_HTTP_ENABLED'],
  // Flyway, "Environment variables"; Quarkus, "Configure data sources".
  [/Unable to connect to the database\. Configure the url, user and password/, 'FLYWAY_URL'],
  [/configured datasource <default> not found/, 'QUARKUS_DATASOURCE_JDBC_URL'],
  // HashiCorp Vault, "AWS KMS seal".
  [/'kms_key_id' not found for AWS KMS sealing/, 'VAULT_AWSKMS_SEAL_KEY_ID'],
];

/** Other variables that make the missing one unnecessary, what the program does with them, and the declared port that says so. */
const INSTEAD: Record<string, readonly [name: string, value: string, explanation: string, sureWithPort?: number]> = {
  KC_HOSTNAME: [
    'KC_HOSTNAME_STRICT',
    'false',
    'Keycloak then takes its name from each request. Behind a proxy that checks names this is enough; else give it `KC_HOSTNAME`.',
  ],
  ACCEPT_EULA: ['ACCEPT_EULA', 'Y', 'This accepts the licence of the program. Read it first.'],
  KC_HTTP_ENABLED: ['KC_HTTP_ENABLED', 'true', 'Keycloak then speaks HTTP, as behind an Ingress that ends TLS.', 8080],
};

function instead(input: RuleInput, missing: string): Correction[] {
  const place = input.place();
  const [name, value, explanation, sureWithPort] = Object.hasOwn(INSTEAD, missing) ? (INSTEAD[missing] ?? []) : [];
  if (!place?.container || name === undefined || explanation === undefined) return [];
  const env = place.container.env ?? [];
  if (env.some((one) => one.name === missing || (one.name === name && one.value === value))) return [];
  return [
    {
      title: `Set ${code(name)} to ${code(value ?? '')}`,
      changes: [
        withVariable(
          place,
          name,
          value ?? '',
          name === missing ? 'it is the value that the program waits for' : `the program then does without ${code(missing)}`,
        ),
      ],
      confidence: place.container.ports?.some(({ containerPort }) => containerPort === sureWithPort) ? 'likely' : 'guess',
      explanation,
      mirrorable: true,
    },
  ];
}

/** The variable under the name that the program reads. */
function asRead(input: RuleInput, from: string, to: string): Correction[] {
  const place = input.place();
  if (!place?.container?.env?.some(({ name }) => name === from)) return [];
  return [renamed(place, { from, to }, { why: 'the program reads this name', explanation: `The program does not read ${code(from)}.` })];
}

/** The region of AWS in the addresses that the program is given, if all have the same one. */
function regionOfAddress(input: RuleInput): Correction[] {
  const place = input.place();
  const named = (place ? wordsIn(place) : []).flatMap(({ name, value }) =>
    [
      ...value.matchAll(
        /\.([a-z]{2}(?:-[a-z]{2,10}){1,2}-\d)\.amazonaws\.com|arn:aws[\w-]{0,10}:[\w-]{2,40}:([a-z]{2}(?:-[a-z]{2,10}){1,2}-\d):/g,
      ),
    ].map(([, host, arn]) => ({ name, region: host ?? arn ?? '' })),
  );
  const [first] = named;
  if (!place || !first || named.some(({ region }) => region !== first.region)) return [];
  return [
    {
      title: `Set \`AWS_REGION\` to ${code(first.region)}`,
      changes: [withVariable(place, 'AWS_REGION', first.region, `${code(first.name)} names this region`)],
      confidence: 'likely',
      explanation: 'The SDK of AWS knows no region, and nothing sets one for this container.',
      mirrorable: true,
    },
  ];
}

/** Sets the variable from the only key in the namespace with the name of the option. */
function ofKey(input: RuleInput, name: string, option: string): Correction[] {
  const place = input.place();
  const found = (input.subject.surroundings?.secrets ?? []).filter(({ keys }) => keys.includes(option));
  const [only, ...more] = found;
  if (!place?.container || !only || more.length > 0) return [];
  const entry = { name, valueFrom: { secretKeyRef: { name: only.name, key: option } } };
  return [
    {
      title: `Take ${code(name)} from Secret ${code(only.name)}`,
      changes: [appended(place, fieldPath(place.path, 'env'), place.container.env, entry, `it has the key ${code(option)}`)],
      confidence: 'likely',
      explanation: `The program misses ${code(option)}, and nothing sets it for this container.`,
      mirrorable: false,
    },
  ];
}

/** How oauth2-proxy names an option that is missing. */
export const MISSING_OPTION = /missing setting(?: for [a-z ]{2,40})?: (?<option>[a-z][a-z\d-]{1,60})/;

/** How all variables of oauth2-proxy begin. */
const OF_PROXY = 'OAUTH2_PROXY_';

/** Explains that an option of a program is missing, which is a variable too: `client-secret` is `OAUTH2_PROXY_CLIENT_SECRET` (oauth2-proxy, "Configuration"). */
export function explainOption(input: RuleInput, option: string, line: string): Meaning {
  const { repository } = parseImage(input.place()?.container?.image ?? '');
  const inVariable = (text: string): string => text.toUpperCase().replaceAll('-', '_');
  // A variable of the container shows the program's prefix; without one, the image does.
  const set = input.place()?.container?.env?.find((one) => one.name.endsWith(`_${inVariable(option)}`))?.name;
  const isOfOwner = input.place()?.container?.env?.some((one) => one.name.startsWith(OF_PROXY)) === true;
  const prefix = isOfOwner ? OF_PROXY : `${inVariable(repository.slice(repository.lastIndexOf('/') + 1))}_`;
  const single = set ?? `${prefix}${inVariable(option)}`;
  // If an option may be given several times, its variable ends in "S".
  const name = input.place()?.container?.env?.some((one) => one.name === single) === true ? `${single}S` : single;
  const own = ofKey(input, name, option);
  return {
    ...explainVariable({ name }, input, line),
    culprit: set === undefined ? option : `${set} (${option})`,
    ...(own.length > 0 ? { corrections: own } : {}),
  };
}

/** Missing settings that a program does not name as variables. */
export const settingSignatures: readonly Signature[] = [
  {
    id: 'option-missing',
    hints: ['missing setting'],
    pattern: new RegExp(String.raw`^\s*${MISSING_OPTION.source}`),
    explain: ({ option = '' }, input, line) => explainOption(input, option, line),
  },
  {
    id: 'setting-unnamed',
    hints: [
      'no application encryption key',
      'region',
      'hostname',
      'key material not provided',
      'kms_key_id',
      'configure the url, user and password',
      'datasource <default> not found',
      'secret_key_base',
      'flask application',
      'settings are not configured',
      'allowed_hosts',
      'name of the tunnel',
      'accept_eula',
    ],
    pattern: new RegExp(UNNAMED.map(([{ source }]) => source).join('|')),
    explain(_, input, line) {
      const usual = UNNAMED.find(([pattern]) => pattern.test(line))?.[1] ?? '';
      // botocore reads only the second one (Boto3, "Configuration").
      const isThere = usual === 'AWS_REGION' && input.place()?.container?.env?.some((one) => one.name === usual) === true;
      const name = isThere ? 'AWS_DEFAULT_REGION' : usual;
      const meaning = explainVariable({ name }, input, line);
      const own = isThere ? asRead(input, usual, name) : (meaning.corrections ?? []);
      const corrections = own.length === 0 && usual === 'AWS_REGION' ? regionOfAddress(input) : own;
      const others = instead(input, name);
      // A variable that makes the missing one unnecessary is not the missing one under a wrong name.
      const isSwitch = input.place()?.container?.env?.some((one) => one.name === INSTEAD[name]?.[0]) === true;
      return { ...meaning, corrections: isSwitch ? others : [...corrections, ...others] };
    },
  },
  {
    // The Python client of Kubernetes.
    id: 'token-file-missing',
    hints: ['token file does not exist'],
    pattern: /[Ss]ervice token file does not exist/,
    explain: (_, input) => ({
      because: 'its Kubernetes client finds no token of a service account',
      culprit: 'automountServiceAccountToken: Service token file does not exist',
      advice: ['Mount the token of the service account (`automountServiceAccountToken: true`).'],
      corrections: accountToken(input),
      whereToLook: '`automountServiceAccountToken` of the pod and of its service account',
    }),
  },
  {
    // The Kubernetes client names a variable that hardly anybody sets. Any more specific line is better.
    id: 'kubernetes-without-token',
    general: true,
    hints: ['kubernetes_master'],
    pattern: /no configuration has been provided, try setting KUBERNETES_MASTER/,
    explain: (_, input) => ({
      because: 'its Kubernetes client finds neither the token of a service account nor a kubeconfig',
      culprit: 'token of the service account (automountServiceAccountToken)',
      advice: [
        'Mount the token of the service account (`automountServiceAccountToken: true`). The variable that the line names is no help.',
      ],
      corrections: accountToken(input),
      whereToLook: '`automountServiceAccountToken` of the pod and of its service account',
    }),
  },
];
