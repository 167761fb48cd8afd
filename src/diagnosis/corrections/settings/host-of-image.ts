import { parseImage } from '../../../crd/image.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { renamed } from './rename.ts';
import { withVariable } from './set-variable.ts';

/** The variable with which an image takes the host of its database. Source: the documentation of each image. */
const HOSTS: Readonly<Record<string, string>> = {
  odoo: 'HOST',
  wordpress: 'WORDPRESS_DB_HOST',
  nextcloud: 'MYSQL_HOST',
  metabase: 'MB_DB_HOST',
  matomo: 'MATOMO_DATABASE_HOST',
  keycloak: 'KC_DB_URL_HOST',
  gitea: 'GITEA__database__HOST',
  ghost: 'database__connection__host',
  kong: 'KONG_PG_HOST',
  n8n: 'DB_POSTGRESDB_HOST',
  phpmyadmin: 'PMA_HOST',
  bookstack: 'DB_HOST',
  'zabbix-server-pgsql': 'DB_SERVER_HOST',
  'zabbix-server-mysql': 'DB_SERVER_HOST',
  'zabbix-web-nginx-pgsql': 'DB_SERVER_HOST',
  mediawiki: 'MEDIAWIKI_DB_HOST',
  drupal: 'DRUPAL_DATABASE_HOST',
  moodle: 'MOODLE_DATABASE_HOST',
  redmine: 'REDMINE_DB_POSTGRES',
};

/** Ports of MySQL and PostgreSQL. */
const DATABASE_PORTS = [3306, 5432];

/** The only Service of the namespace with the port of a database, in the variable that the image reads. */
function onlyDatabase(input: RuleInput, place: ContainerPlace, wanted: string): ReturnType<typeof hostOfImage> {
  const databases = (input.subject.surroundings?.services ?? []).filter(({ ports }) =>
    ports?.some((port) => DATABASE_PORTS.includes(port)),
  );
  const [only, ...more] = databases;
  if (!only || more.length > 0) return undefined;
  return {
    name: wanted,
    wanted,
    correction: {
      title: `Set ${code(wanted)} to ${code(only.name)}`,
      changes: [withVariable(place, wanted, only.name, `Service ${code(only.name)} is the only database of the namespace`)],
      confidence: 'likely',
      explanation: `Nothing sets ${code(wanted)}, so the image looks for its database at a host of its own choice.`,
      mirrorable: true,
    },
  };
}

/**
 * For a well-known image that looks for its database at a host that no setting names: renames the only host variable whose value is an existing
 * Service to the variable that the image reads.
 */
export function hostOfImage(input: RuleInput): { name: string; wanted: string; correction: Correction } | undefined {
  const place = input.place();
  const wanted =
    HOSTS[
      parseImage(place?.container?.image ?? '')
        .repository.split('/')
        .at(-1) ?? ''
    ];
  const env = place?.container?.env ?? [];
  const services = new Set((input.subject.surroundings?.services ?? []).map(({ name }) => name));
  const found = env.filter(({ name, value }) => /HOST|SERVER|ADDR/i.test(name) && services.has((value ?? '').split(/[.:]/, 1)[0] ?? ''));
  const [only, ...more] = found;
  if (!place || wanted === undefined || env.some(({ name }) => name === wanted) || more.length > 0) return undefined;
  if (!only) return onlyDatabase(input, place, wanted);
  return {
    name: only.name,
    wanted,
    correction: renamed(
      place,
      { from: only.name, to: wanted },
      {
        why: `the image reads ${code(wanted)}`,
        explanation: `The image does not read ${code(only.name)}, so it looks for its database elsewhere.`,
      },
    ),
  };
}
