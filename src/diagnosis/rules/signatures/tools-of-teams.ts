import type { Correction } from '../../corrections/correction.ts';
import { code } from '../../rendering/quote.ts';
import type { RuleInput } from '../../facts/input.ts';
import { configSource } from '../../facts/config-source.ts';
import { withVariable } from '../../corrections/settings/set-variable.ts';
import type { Signature } from './signature.ts';

/** The port that the server of a Jenkins agent does not have, and the Service that has it (Jenkins, "inbound-agent": JENKINS_TUNNEL). */
function agentTunnel(input: RuleInput, port: string): Correction[] {
  const place = input.place();
  const [only, ...more] = (input.subject.surroundings?.services ?? []).filter(({ ports }) => ports?.includes(Number(port)));
  if (!place?.container || !only || more.length > 0) return [];
  const to = `${only.name}:${port}`;
  return [
    {
      title: `Set ${code('JENKINS_TUNNEL')} to ${code(to)}`,
      changes: [withVariable(place, 'JENKINS_TUNNEL', to, `Service ${code(only.name)} has this port`)],
      confidence: 'likely',
      explanation: 'The agent connects there, and asks the address in `JENKINS_URL` only for its settings.',
      mirrorable: true,
    },
  ];
}

/** Messages of tools around the programs: continuous integration, dashboards, migrations, git. */
export const teamToolSignatures: readonly Signature[] = [
  {
    id: 'jenkins-agent-port',
    hints: ['is not reachable'],
    pattern: /(?:\/\/(?<from>[\w.-]{1,200})\S{0,60} )?provided port:(?<port>\d{2,5}) is not reachable(?: on host (?<host>[\w.-]{1,200}))?/,
    explain: ({ port = '', from = 'Jenkins', host = from }, input) => ({
      because: `nothing at ${code(host)} answers on port ${code(port)}, where Jenkins listens for its agents`,
      culprit: `${host}:${port} (JENKINS_TUNNEL)`,
      advice: ['Give the Service of Jenkins this port, or name the Service that has it in `JENKINS_TUNNEL`.'],
      corrections: agentTunnel(input, port),
      whereToLook: 'the Services of Jenkins and their ports',
    }),
  },
  {
    // Grafana, "Provision Grafana".
    id: 'grafana-defaults',
    hints: ['can be marked as default'],
    pattern: /Only one datasource per organization can be marked as default/,
    explain: (_, input, line) => ({
      because: 'more than one data source says `isDefault: true`',
      culprit: 'isDefault: only one datasource can be marked as default',
      advice: [
        ['Keep `isDefault: true` on one data source and set it to `false` on the others.', configSource(input, line)].join(' ').trim(),
      ],
      whereToLook: 'the files of the data sources, which usually come from ConfigMaps',
    }),
  },
  {
    // golang-migrate, "FAQ".
    id: 'migration-dirty',
    hints: ['dirty database version'],
    pattern: /Dirty database version (?<version>\d{1,20})/i,
    explain: ({ version = '' }) => ({
      because: `an earlier migration to version ${code(version)} broke off, and the database is marked as dirty`,
      culprit: `dirty database version ${version}`,
      advice: [
        'Repair what the migration left half done, then set the version by hand (`migrate force`, or the table `schema_migrations`).',
      ],
      whereToLook: 'the table `schema_migrations`, and the log of the run that broke off',
    }),
  },
  {
    id: 'git',
    hints: [
      'remote branch',
      'could not read username',
      'could not read password',
      'host key verification',
      'repository not found',
      'fatal: repository',
      'could not read from remote',
      'publickey',
      "couldn't find remote ref",
      'terminal prompts disabled',
    ],
    pattern:
      /Remote branch (?<branch>[\w./-]{1,120}) not found|couldn't find remote ref (?<ref>[\w./-]{1,120})|fatal: repository '(?<url>[^']{1,300})' (?:not found|does not exist)|could not read (?:Username|Password) for '(?<login>[^']{1,300})'|(?<host>Host key verification failed)|(?<key>Permission denied \(publickey)/,
    explain: ({ branch, ref, url, login, host }) => ({
      because:
        branch || ref
          ? `the repository has no branch or tag ${code(branch ?? ref ?? '')}`
          : url
            ? `there is no repository ${code(url)}, or its credentials may not see it`
            : login
              ? `${code(login)} wants a login, and it has no credentials for it`
              : host
                ? 'it does not know the host key of the git server'
                : 'the git server does not accept its SSH key',
      culprit: branch || ref ? `branch ${branch ?? ref ?? ''}` : (url ?? login ?? (host ? 'host key (known_hosts)' : 'SSH key')),
      advice: [
        branch || ref
          ? 'Correct the branch in the variables or `args`.'
          : host
            ? 'Mount a `known_hosts` file with the host key of the server.'
            : 'Correct the address, and mount credentials that may read this repository.',
      ],
      whereToLook: "the container's variables and `args` with the repository, and the Secret with the credentials",
    }),
  },
];
