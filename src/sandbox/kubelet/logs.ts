import type { ServerResponse } from 'node:http';
import type { Api } from '../api/api.ts';
import type { Clock } from '../clock.ts';
import { badRequest, invalid, invalidValue } from '../api/errors.ts';
import type { Loose, Stored } from '../store/object.ts';
import type { PodLogs } from '../api/subresources.ts';
import type { Run } from './run.ts';
import type { Node } from './kubelet.ts';

const FOLLOW_MS = 200;

/** The container that a request means: the named one, otherwise the only one. Throws the server's 400. */
function containerOf(pod: Stored, asked: string | null): string {
  const names = (part: string) => ((pod.spec[part] ?? []) as Loose[]).map((c) => c.name as string);
  const [regular, init] = [names('containers'), names('initContainers')];
  if (asked !== null && asked !== '') {
    if (![...regular, ...init].includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${pod.metadata.name}`);
    return asked;
  }
  if (regular.length === 1 && init.length === 0) return regular[0] as string;
  const choices = `choose one of: [${[...init, ...regular].join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${pod.metadata.name}, ${choices}`);
}

function waitingText(pod: Stored, name: string): string {
  const status = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])].find(
    (s: Loose) => s.name === name,
  );
  const quoted = `container "${name}" in pod "${pod.metadata.name}"`;
  if (!status) return `${quoted} is not available`;
  const reason = status.state?.waiting?.reason;
  if (reason === 'ErrImagePull') return `${quoted} is waiting to start: image can't be pulled`;
  if (reason === 'ImagePullBackOff') return `${quoted} is waiting to start: trying and failing to pull image`;
  return `${quoted} is waiting to start: ${reason ?? 'ContainerCreating'}`;
}

function stampOf(at: Date): string {
  return `${at.toISOString().replace('Z', '000000Z')} `;
}

/** The requested lines of a run: the last ones, or those since a given time, with timestamps on request. */
function textOf(run: Run, query: URLSearchParams, now: Date): string {
  const tail = query.get('tailLines');
  const limit = query.get('limitBytes');
  const seconds = query.get('sinceSeconds');
  const since = seconds
    ? new Date(now.getTime() - Number(seconds) * 1000)
    : query.get('sinceTime')
      ? new Date(query.get('sinceTime') as string)
      : undefined;
  const stamped = query.get('timestamps') === 'true';
  let lines: string[] = [];
  let isOpen = false;
  for (const { at, text } of run.log) {
    if (since && at < since) continue;
    for (const piece of text.split(/(?<=\n)/)) {
      if (isOpen) lines[lines.length - 1] += piece;
      else lines.push((stamped ? stampOf(at) : '') + piece);
      isOpen = !piece.endsWith('\n');
    }
  }
  if (tail !== null) lines = Number(tail) === 0 ? [] : lines.slice(-Number(tail));
  const text = lines.join('');
  return limit ? text.slice(0, Number(limit)) : text;
}

/** Throws a 400 or 422 for invalid numbers. */
function checkOptions(pod: Stored, query: URLSearchParams): void {
  for (const [field, least, text] of [
    ['tailLines', 0, 'must be greater than or equal to 0'],
    ['sinceSeconds', 1, 'must be greater than 0'],
    ['limitBytes', 1, 'must be greater than 0'],
  ] as const) {
    const given = query.get(field);
    if (given === null) continue;
    if (!/^-?\d+$/.test(given)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(given)}: invalid syntax`);
    if (Number(given) < least)
      throw invalid({ group: '', plural: '', kind: 'PodLogOptions' }, pod.metadata.name, [invalidValue(field, Number(given), text)]);
  }
}

/** `GET …/pods/NAME/log` over the node's containers: present and previous run, follow, tail. */
export function podLogs(node: Node, api: Api, clock: Clock): PodLogs {
  function runOf(pod: Stored, name: string, isPrevious: boolean): Run | undefined {
    const runner = node.runner(pod, name);
    if (!isPrevious) {
      if (runner?.current) return runner.current;
      if (pod.spec.nodeName) throw badRequest(waitingText(pod, name));
      return undefined;
    }
    if (!pod.spec.nodeName) return undefined;
    if (!runner) throw badRequest(`container "${name}" in pod "${pod.metadata.name}" is not available`);
    // Between two runs, the last run already counts as "previous", as in the status.
    const isBetween = runner.lastState.terminated?.containerID === `containerd://${runner.current?.id}`;
    const run = isBetween ? runner.current : runner.restartCount > 0 ? runner.previous : undefined;
    if (!run) throw badRequest(`previous terminated container "${name}" in pod "${pod.metadata.name}" not found`);
    return run;
  }

  function follow(pod: Stored, name: string, run: Run, { response, stamped }: { response: ServerResponse; stamped: boolean }): void {
    let count = run.log.length;
    const look = () => {
      if (response.destroyed) return;
      for (const { at, text } of run.log.slice(count)) response.write(stamped ? stampOf(at) + text : text);
      count = run.log.length;
      if (node.runner(pod, name)?.machine === undefined || node.runner(pod, name)?.current !== run) response.end();
      else clock.after(FOLLOW_MS, look);
    };
    look();
  }

  return {
    send(pod, query, response) {
      checkOptions(pod, query);
      const name = containerOf(pod, query.get('container'));
      const run = runOf(pod, name, query.get('previous') === 'true');
      const text = run ? textOf(run, query, api.clock.now()) : '';
      response.writeHead(200, { 'Content-Type': 'text/plain' });
      if (query.get('follow') !== 'true' || !run) return void response.end(text);
      response.write(text);
      follow(pod, name, run, { response, stamped: query.get('timestamps') === 'true' });
    },
  };
}
