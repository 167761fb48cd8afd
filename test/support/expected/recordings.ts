import { existsSync, readFileSync, readdirSync } from 'node:fs';
import type { CoreEvent, KubeObject, Pod, Workload } from '../../../src/crd/kubernetes.ts';

/** One recording of a real node (`test/captures`, written by a real kubelet and scheduler). */
export interface Capture {
  name: string;
  what: string;
  pod: Pod | undefined;
  events: CoreEvent[];
  others: (KubeObject & Workload)[];
  timeline: { seconds: number; pod: string; type: string; status: Record<string, unknown> }[];
  logs: { pod: string; container: string; previous: boolean; exitCode: number; stdout: string; stderr: string }[];
}

/** The names of all recordings in a folder beside this one (`captures`, `captures-own`). */
export function captureNames(folder = 'captures'): string[] {
  const entries = readdirSync(new URL(`../../${folder}/`, import.meta.url), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** One recording, read whole. */
export function capture(name: string, folder = 'captures'): Capture {
  const file = (path: string) => new URL(`../../${folder}/${name}/${path}`, import.meta.url);
  const lines = (path: string) =>
    existsSync(file(path))
      ? readFileSync(file(path), 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line))
      : [];
  const json = (path: string) => (existsSync(file(path)) ? JSON.parse(readFileSync(file(path), 'utf8')) : undefined);
  return {
    name,
    what: json('case.json').what,
    pod: json('pod.json'),
    events: lines('events.jsonl'),
    others: lines('others.jsonl'),
    timeline: lines('timeline.jsonl'),
    logs: lines('logs.jsonl'),
  };
}

/** The newest time in a recording, which counts as its *now*. */
export function newestInstant(...objects: unknown[]): Date {
  const instants = JSON.stringify(objects).match(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g) ?? [];
  return new Date(Math.max(0, ...instants.map((text) => Date.parse(text.slice(1, -1)))));
}
