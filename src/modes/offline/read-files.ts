import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { KubeObject } from '../../crd/kubernetes.ts';
import { loadManifests } from '../../crd/manifest.ts';
import { shapedManifest } from '../../diagnosis/facts/manifest.ts';
import type { RecordedLog, Recording } from '../../failures/detect/recording.ts';
import { InputError } from '../mode.ts';
import { isMapping } from '../../crd/mapping.ts';

export interface NamedRecording {
  name: string;
  recording: Recording;
}

/** The files of a recorded folder. */
const RECORDED = ['pod.json', 'pods.jsonl', 'events.jsonl', 'others.jsonl'];
const STDIN = 'standard input';
const POD_KINDS = new Set(['Pod', 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob']);

/**
 * Reads files, folders and `-` (standard input). All plain files together are one recording; each recorded folder is one. Throws
 * `InputError`.
 */
export async function readRecordings(paths: string[], stdin: Readable): Promise<NamedRecording[]> {
  const together: Recording = { objects: [], logs: [] };
  const folders: NamedRecording[] = [];
  for (const path of paths) {
    if (path === '-') together.objects.push(...readObjects(STDIN, await text(stdin)));
    else if (await isFolder(path)) folders.push(...(await readFolder(path)));
    else together.objects.push(...readObjects(path, await readText(path)));
  }
  const recordings = [...(together.objects.length > 0 ? [{ name: paths.join(', '), recording: together }] : []), ...folders];
  if (recordings.length === 0)
    throw new InputError(`${paths.map((path) => (path === '-' ? STDIN : path)).join(', ')}: no Kubernetes object in it`);
  return recordings;
}

async function readFolder(folder: string): Promise<NamedRecording[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const recorded = RECORDED.filter((name) => names.includes(name));
  const files = recorded.length > 0 ? recorded : names.filter((name) => /\.(?:ya?ml|json|jsonl)$/.test(name) && name !== 'logs.jsonl');
  const objects: KubeObject[] = [];
  for (const name of files) objects.push(...readObjects(join(folder, name), await readText(join(folder, name))));
  const logs = names.includes('logs.jsonl') ? readLogs(join(folder, 'logs.jsonl'), await readText(join(folder, 'logs.jsonl'))) : [];
  if (objects.length > 0) return [{ name: folder, recording: { objects, logs } }];
  const below: NamedRecording[] = [];
  for (const entry of entries) if (entry.isDirectory()) below.push(...(await readFolder(join(folder, entry.name))));
  return below;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw new InputError(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new InputError(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Parses JSON, JSON lines or YAML documents; lists become their items. */
function readObjects(name: string, content: string): KubeObject[] {
  return documents(name, content).flatMap((document, index) => flatten(document, `${name}, document ${index + 1}`));
}

function documents(name: string, content: string): unknown[] {
  if (!/^\s*[[{]/.test(content)) return parsed(name, () => loadManifests(content));
  try {
    return [JSON.parse(content)];
  } catch {
    if (name.endsWith('.json')) return parsed(name, () => [JSON.parse(content)]);
  }
  if (!name.endsWith('.jsonl') && !/^\s*\{.*\}\s*\n\s*\{/.test(content)) return parsed(name, () => loadManifests(content));
  return jsonLines(name, content);
}

function jsonLines(name: string, content: string): unknown[] {
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => parsed(`${name}, document ${index + 1}`, () => JSON.parse(line) as unknown));
}

function parsed<T>(name: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new InputError(`${name}: ${(error as Error).message}`);
  }
}

function flatten(document: unknown, where: string, kindOfList?: string): KubeObject[] {
  if (Array.isArray(document)) return document.flatMap((item, index) => flatten(item, `${where}, item ${index + 1}`));
  if (!isMapping(document)) throw new InputError(`${where}: not a Kubernetes object, a mapping with a kind is expected`);
  const kind = document.kind ?? kindOfList;
  if (typeof kind !== 'string' || kind === '') throw new InputError(`${where}: an object without a kind`);
  if (kind.endsWith('List') && Array.isArray(document.items)) {
    const inner = kind === 'List' ? undefined : kind.slice(0, -'List'.length);
    return document.items.flatMap((item, index) => flatten(item, `${where}, item ${index + 1}`, inner));
  }
  const object = { ...document, kind };
  if (POD_KINDS.has(kind) && !shapedManifest(object)) throw new InputError(`${where}: a ${kind} whose spec does not have the shape of one`);
  if (!isMapping(document.metadata)) throw new InputError(`${where}: a ${kind} without metadata`);
  return [object as unknown as KubeObject];
}

/** The logs of containers as kubectl prints them. Logs that could not be read are left out. */
function readLogs(name: string, content: string): RecordedLog[] {
  return jsonLines(name, content).flatMap((line, index): RecordedLog[] => {
    if (!isMapping(line) || typeof line.pod !== 'string' || typeof line.container !== 'string')
      throw new InputError(`${name}, document ${index + 1}: a log needs pod, container and stdout`);
    if (line.exitCode !== undefined && line.exitCode !== 0) return [];
    const { pod, container, stdout, namespace } = line;
    if (typeof stdout !== 'string') return [];
    return [{ pod, container, previous: line.previous === true, text: stdout, ...(typeof namespace === 'string' ? { namespace } : {}) }];
  });
}
