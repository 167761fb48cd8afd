import { accountToken } from '../../corrections/missing-file.ts';
import { explainVariable } from './environment.ts';
import type { Signature } from './signature.ts';

/**
 * Messages of common programs about a missing setting that they do not name: the pattern, and the variable in the program's documentation.
 */
const UNNAMED: readonly [pattern: RegExp, variable: string][] = [
  [/No application encryption key has been specified/, 'APP_KEY'],
  [/You must specify a region|Missing region in config|NoRegionError|could not find region configuration/, 'AWS_REGION'],
  [/hostname is not configured; either configure hostname|Strict hostname resolution configured but no hostname/, 'KC_HOSTNAME'],
  [/Missing `?secret_key_base`?/, 'SECRET_KEY_BASE'],
  [/Could not locate a Flask application/, 'FLASK_APP'],
  [/settings are not configured\. You must either define/, 'DJANGO_SETTINGS_MODULE'],
  [/Key material not provided to setup HTTPS/, 'KC_HTTP_ENABLED'],
];

/** Missing settings that a program does not name as variables. */
export const settingSignatures: readonly Signature[] = [
  {
    id: 'setting-unnamed',
    hints: [
      'no application encryption key',
      'region',
      'hostname',
      'key material not provided',
      'secret_key_base',
      'flask application',
      'settings are not configured',
    ],
    pattern: new RegExp(UNNAMED.map(([{ source }]) => source).join('|')),
    explain: (_, input, line) => explainVariable({ name: UNNAMED.find(([pattern]) => pattern.test(line))?.[1] ?? '' }, input, line),
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
