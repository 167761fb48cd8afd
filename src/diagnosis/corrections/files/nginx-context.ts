import { code } from '../../rendering/quote.ts';
import { type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { mountedAt } from './other-folder.ts';

const NOT_HERE = /"(\w{2,40})" directive is not allowed here in (\/[\w./@+-]{1,200}):(\d{1,6})/;
/** Directives with which a file in `conf.d` begins. */
const OF_SERVERS = /^(?:server|upstream|map|geo|log_format|limit_(?:req|conn)_zone|proxy_cache_path|split_clients)$/;
/** Directives that only the main configuration has. */
const OF_MAIN = /^(?:user|worker_\w{1,40}|events|http|pid|load_module|daemon|thread_pool)$/;
/** The first directive of a file is in these first lines. If a later line is wrong, the file is of the right kind, but a block in it is not. */
const FIRST_LINES = 5;

/** For an nginx file that belongs in `conf.d` but is mounted as the main configuration, or the other way round: mounts it at the right path. */
export function otherContext(input: RuleInput, line: string): Correction[] {
  const [, directive = '', file = '', at] = NOT_HERE.exec(line) ?? [];
  const place = input.place();
  const index = place?.container?.volumeMounts?.findIndex(({ mountPath, subPath }) => mountPath === file && Boolean(subPath)) ?? -1;
  if (!place || index < 0 || Number(at) > FIRST_LINES) return [];
  const folder = file.slice(0, file.lastIndexOf('/'));
  const isMain = file.endsWith('/nginx.conf');
  const isOfServers = folder.endsWith('/conf.d');
  let to: string | undefined;
  if (isMain && !isOfServers && OF_SERVERS.test(directive)) to = `${folder}/conf.d/default.conf`;
  if (isOfServers && OF_MAIN.test(directive)) to = `${folder.slice(0, -'/conf.d'.length)}/nginx.conf`;
  if (to === undefined) return [];
  return [
    mountedAt(
      place,
      { index, to, what: 'file' },
      {
        why: isMain ? `a file that begins with ${code(directive)} belongs there` : `${code(directive)} belongs to the main configuration`,
        explanation: isMain
          ? 'The main configuration of nginx includes the files of `conf.d`, each with its servers.'
          : 'The files of `conf.d` are parts of the main configuration, not whole ones.',
      },
    ),
  ];
}
