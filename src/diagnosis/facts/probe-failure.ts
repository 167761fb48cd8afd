import type { Message, Quote } from './message.ts';
import { type ServerState, serverStateIn } from './probe-output.ts';

export type ProbeName = 'liveness' | 'readiness' | 'startup';
export type ProbeCause =
  | 'status'
  | 'refused'
  | 'timeout'
  | 'exec'
  | 'exec-missing'
  | 'exec-denied'
  | 'port-name'
  | 'to-https'
  | 'to-http'
  | 'grpc'
  | 'dns'
  | 'closed'
  | 'other';

/** A failed probe: the HTTP `status`, the `port` that was probed, the `output` of a command and the `state` of the server in it. */
export interface ProbeFact {
  kind: 'probe';
  probe: ProbeName;
  cause: ProbeCause;
  status: number | null;
  port: number | null;
  output: string;
  state?: ServerState;
  evidence: Quote;
}
/** A container that kubelet killed because of a probe. */
export interface ProbeKillFact {
  kind: 'probe-kill';
  probe: ProbeName;
  container: string | null;
  evidence: Quote;
}
/** A lifecycle hook that failed. */
export interface HookFact {
  kind: 'hook';
  hook: 'postStart' | 'preStop';
  exitCode: number | null;
  output: string | null;
  evidence: Quote;
}
export type FactFromProbe = ProbeFact | ProbeKillFact | HookFact;

const CAUSES: readonly [ProbeCause, RegExp][] = [
  ['status', /statuscode: (\d{3})/i],
  ['to-https', /server gave HTTP response to HTTPS client|first record does not look like a TLS handshake/],
  ['to-http', /malformed HTTP (?:response|status code)|transport connection broken: malformed|HTTP request to an HTTPS server/],
  ['port-name', /(?:port|named port).{0,20} not found|couldn't find port|invalid port number|strconv\.(?:Atoi|ParseInt)/],
  ['refused', /connection refused|ECONNREFUSED|failed to connect service/],
  ['exec-denied', /exec: \\?"?[^"\s]{1,300}?\\?"?: permission denied/],
  ['exec-missing', /executable file not found|OCI runtime exec failed|exec failed: |errored.{0,80}not found/],
  ['timeout', /timed out|timeout|deadline exceeded|DeadlineExceeded|Client\.Timeout/i],
  ['dns', /no such host/],
  // Go's HTTP client, when the server ends the connection before it has answered.
  ['closed', /^(?:Get|Head) .{0,400}(?:connection reset by peer|: EOF$)/],
  ['grpc', /rpc error|service unhealthy|NOT_SERVING|does not implement the grpc health protocol|unknown service/i],
];

/** What the detection of failures adds to the message of a container that runs again. */
const OVERCOME = /; (?:exit code \d{1,5}|ended)(?: at [^\s,]{1,40})?, running again(?: since \S{1,40})?$/;

/** Facts in a message about probes and hooks. */
export function readProbe(message: Message): FactFromProbe[] {
  const { text, reason } = message;
  const evidence = { from: message.from, text };
  const killed =
    /\b[Cc]ontainer (\S{1,253}) failed (liveness|startup) probe/.exec(text) ??
    /Killing container with id \S{1,200}?:?.{0,80}(unhealthy|liveness)/.exec(text);
  if (killed)
    return [
      {
        kind: 'probe-kill',
        probe: killed[2] === 'startup' ? 'startup' : 'liveness',
        container: killed[2] ? (killed[1] ?? null) : null,
        evidence,
      },
    ];
  const failed = /(Liveness|Readiness|Startup) probe (?:failed|errored|warning)(?: and resulted in unknown state)?:? ?/i.exec(text);
  if (failed) {
    const output = text
      .slice(failed.index + failed[0].length)
      .replace(OVERCOME, '')
      .trim();
    return [probeFact((failed[1] as string).toLowerCase() as ProbeName, output, evidence)];
  }
  return hookFact(reason, text, evidence);
}

function probeFact(probe: ProbeName, output: string, evidence: Quote): ProbeFact {
  const state = serverStateIn(output);
  if (state) return { kind: 'probe', probe, cause: 'exec', status: null, port: null, output, state, evidence };
  let status: number | null = null;
  let cause: ProbeCause = 'exec';
  for (const [known, words] of CAUSES) {
    const found = words.exec(output);
    if (!found) continue;
    cause = known;
    if (known === 'status') status = Number(found[1]);
    break;
  }
  if (cause === 'exec' && /^(?:Get|dial|Post) /.test(output)) cause = 'other';
  // The port is in the URL or in the dialled address. IPv6 addresses have brackets.
  const port = /(?:dial tcp |https?:\/\/)(?:\[[0-9a-fA-F:%]{1,60}\]|[^\s:/"[\]]{1,253}):(\d{1,5})/.exec(output)?.[1];
  return { kind: 'probe', probe, cause, status, port: port ? Number(port) : null, output, evidence };
}

function hookFact(reason: string, text: string, evidence: Quote): HookFact[] {
  const hook =
    reason === 'FailedPreStopHook' ? 'preStop' : reason === 'PostStartHookError' || reason === 'FailedPostStartHook' ? 'postStart' : null;
  if (!hook) return [];
  const exitCode = /exited with (\d{1,3})/.exec(text)?.[1];
  const output = /message: "((?:[^"\\]|\\.){1,1000})"/.exec(text)?.[1];
  return [
    { kind: 'hook', hook, exitCode: exitCode ? Number(exitCode) : null, output: output?.replaceAll('\\n', ' ').trim() ?? null, evidence },
  ];
}
