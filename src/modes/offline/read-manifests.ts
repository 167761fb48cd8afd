import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { KubeObject } from '../../crd/kubernetes.ts';
import { loadManifests } from '../../crd/manifest.ts';
import { isMapping } from '../../crd/mapping.ts';

/** A document of a file. */
export interface Source {
  /** The file's name as given, or the template that Helm names as the source. */
  file: string;
  /** The document's lines; empty if they do not correspond to lines of `file`. */
  lines: readonly string[];
  /** The number of the first line, from 1. */
  firstLine: number;
  /** Ids of checks that comments in the document disable. */
  ignored: ReadonlySet<string>;
}

export interface ManifestObject {
  object: KubeObject;
  source: Source;
}

export interface Manifests {
  objects: ManifestObject[];
  /** One line for each file or document that could not be read. */
  problems: string[];
}

const STDIN = 'standard input';

/** Reads files, folders recursively, and `-` (standard input). Files that cannot be read are named, and the others are read. */
export async function readManifests(paths: readonly string[], stdin: Readable): Promise<Manifests> {
  const found: Manifests = { objects: [], problems: [] };
  const take = async (name: string, read: () => Promise<string>): Promise<void> => {
    try {
      readText(name, await read(), found);
    } catch (error) {
      found.problems.push(`${name}: cannot be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`);
    }
  };
  const walk = async (path: string): Promise<void> => {
    for (const entry of (await readdir(path, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = join(path, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') await walk(name);
      else if (entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name)) await take(name, () => readFile(name, 'utf8'));
    }
  };
  for (const path of paths) {
    if (path === '-') await take(STDIN, () => text(stdin));
    else if (await isFolder(path)) await walk(path);
    else await take(path, () => readFile(path, 'utf8'));
  }
  return found;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

function readText(name: string, content: string, found: Manifests): void {
  if (/^\s*[[{]/.test(content) && readJson(name, content, found)) return;
  for (const piece of documentsOf(content)) readDocument(name, piece, found);
}

/** Adds the objects of a JSON text. Returns false if the text is not JSON. */
function readJson(name: string, content: string, found: Manifests): boolean {
  let document: unknown;
  try {
    document = JSON.parse(content);
  } catch {
    return false;
  }
  flatten(document, { file: name, lines: [], firstLine: 1, ignored: new Set() }, found);
  return true;
}

interface Piece {
  lines: string[];
  firstLine: number;
}

/** `---` at the beginning of a line always begins a document. */
function documentsOf(content: string): Piece[] {
  const pieces: Piece[] = [];
  let piece: Piece = { lines: [], firstLine: 1 };
  for (const [index, line] of content.split(/\r?\n/).entries()) {
    if (/^(?:---|\.\.\.)(?:\s|$)/.test(line)) {
      pieces.push(piece);
      // Text after the dashes belongs to the document.
      piece = { lines: [`   ${line.slice(3)}`.trimEnd()], firstLine: index + 1 };
    } else piece.lines.push(line);
  }
  return [...pieces, piece].filter(({ lines }) => lines.some((line) => !/^\s*(?:[#%]|$)/.test(line)));
}

const SOURCE_COMMENT = /^# Source: (\S{1,400})\s*$/;
const IGNORE_COMMENT = /(?:^|\s)# ?podmend-ignore:\s*([a-z][a-z, -]{0,400})/;

function readDocument(name: string, { lines, firstLine }: Piece, found: Manifests): void {
  const template = lines.map((line) => SOURCE_COMMENT.exec(line)?.[1]).find((path) => path !== undefined);
  const ignored = new Set(lines.flatMap((line) => IGNORE_COMMENT.exec(line)?.[1]?.split(/[\s,]+/) ?? []));
  const source: Source = template ? { file: template, lines: [], firstLine: 1, ignored } : { file: name, lines, firstLine, ignored };
  try {
    for (const document of loadManifests(lines.join('\n'))) flatten(document, source, found);
  } catch (error) {
    const message = (error as Error).message;
    const at = /\((\d+):\d+\)/.exec(message)?.[1];
    const line = firstLine + (at === undefined ? 0 : Number(at) - 1);
    found.problems.push(`${name}:${line}: ${message.replace(/\s*\(\d+:\d+\)/, '')}`);
  }
}

/** Replaces lists by their items. Items of a typed list may lack their kind. */
function flatten(document: unknown, source: Source, found: Manifests, given: { kind?: string; apiVersion?: unknown } = {}): void {
  if (Array.isArray(document)) {
    for (const item of document) flatten(item, source, found, given);
    return;
  }
  if (!isMapping(document)) {
    found.problems.push(`${source.file}:${source.firstLine}: not a Kubernetes object, a mapping with a kind is expected`);
    return;
  }
  const kind = document['kind'] ?? given.kind;
  // Files such as chart values and kustomizations lie beside manifests.
  if (typeof kind !== 'string' || kind === '') return;
  const items = document['items'];
  if (kind.endsWith('List') && Array.isArray(items)) {
    const inner = kind === 'List' ? {} : { kind: kind.slice(0, -'List'.length), apiVersion: document['apiVersion'] };
    for (const item of items) flatten(item, { ...source, lines: [] }, found, inner);
    return;
  }
  const apiVersion = document['apiVersion'] ?? given.apiVersion;
  const metadata = isMapping(document['metadata']) ? document['metadata'] : {};
  found.objects.push({ object: { ...document, apiVersion, kind, metadata } as unknown as KubeObject, source });
}
