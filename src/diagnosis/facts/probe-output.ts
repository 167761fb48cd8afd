/** The state of a server as its probe's command reports it: the server is still starting, or it runs but something keeps it from being ready. */
export interface ServerState {
  kind: 'starting' | 'unready';
  /** The line that says so, without repeated spaces. */
  line: string;
}

/** Messages that come from the kubelet, not from a command. */
const OF_KUBELET =
  /^(?:Get |Head |Post |dial |HTTP probe|OCI runtime|rpc error|service unhealthy|failed to connect service|timeout: |command )/;

/** Words that only a starting server prints, even in an error message. */
const STARTING_SERVER =
  /\bLOADING \w{1,40} is loading\b|\bdatabase system is starting\b|\bin recovery mode\b|\bnot yet accepting connections\b|\brejecting connections\b|\b(?:node|server|broker|cluster|app|application|service|instance|engine|system|it) is (?:still |currently )?(?:starting|booting|loading|initiali[sz]ing|warming up|recovering)\b/i;
/** Words that mean a starting server only if the line reports no error. */
const STARTING_WORDS =
  /\bstill (?:starting|booting|loading|initiali[sz]ing|warming|recovering|restoring)\b|\b(?:starting|warming) up\b|^(?:status|state|phase|mode)?["']?\s{0,3}[:=]?\s{0,3}["']?(?:starting|booting|loading|initiali[sz]ing|warming|recovering)\b/i;
const ERROR =
  /\b(?:error|failed|failure|cannot|can't|could not|unable|denied|no such|not found|invalid|exception|refused|missing|unknown|usage)\b/i;
/** A server that waits for somebody or for other servers. */
const UNREADY =
  /\bsealed["']?[\s:=]{1,30}true\b|\bis sealed\b|\bno (?:cluster )?leader\b|\b(?:no|lost|without|not have|loss of) quorum\b|\bCLUSTERDOWN\b|\bMASTERDOWN\b|\bcluster_state:fail\b|\bNotYetInitialized\b|\bnot (?:yet |currently )?(?:ready|healthy|serving|synced|in sync|initiali[sz]ed|joined|bootstrapped|unsealed)\b|\bunhealthy\b|\bdegraded\b|\bwaiting (?:for|on|until)\b|(?:status|state|mode|comment)\w{0,10}["']?[\s:=]{1,30}["']?(?:joining|joiner|joined, not synced|donor|desynced|syncing|down)\b|\bis (?:still |currently )?(?:joining|syncing)\b|\b\d{1,4} (?:of|out of) \d{1,4} (?:voters|members|replicas|peers|nodes|brokers|shards|followers)\b/i;

const MAX_LINES = 40;

/** The state of the server according to the output of a probe's command, or undefined if the output says nothing about it. */
export function serverStateIn(output: string): ServerState | undefined {
  if (OF_KUBELET.test(output)) return undefined;
  const lines = output.split('\n', MAX_LINES).map((line) => line.slice(0, 300).replaceAll(/\s+/g, ' ').trim());
  const starting = lines.find((line) => STARTING_SERVER.test(line) || (STARTING_WORDS.test(line) && !ERROR.test(line)));
  if (starting !== undefined) return { kind: 'starting', line: starting };
  const unready = lines.find((line) => UNREADY.test(line));
  return unready === undefined ? undefined : { kind: 'unready', line: unready };
}
