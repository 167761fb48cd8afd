import type { IncomingMessage } from 'node:http';
import { loadManifest } from '../crd/manifest.ts';
import type { DeleteOptions, WriteOptions } from './api.ts';
import { ApiError, badRequest, unsupportedMedia } from './errors.ts';
import type { Kind, Registry } from './kinds.ts';
import type { Loose } from './object.ts';

/** Where a request goes: a kind, perhaps one object of it, perhaps a part of that. */
export interface Target {
  kind: Kind;
  namespace: string | undefined;
  name: string | undefined;
  subresource: string | undefined;
}

const MAX_BODY = 3 * 1024 * 1024;

/** Where a path leads; undefined when there is nothing of that name. */
export function targetOf(registry: Registry, path: string): Target | undefined {
  const parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  const isCore = parts[0] === 'api';
  const [group, apiVersion] = isCore ? ['', parts[1]] : [parts[1], parts[2]];
  let rest = parts.slice(isCore ? 2 : 3);
  let namespace: string | undefined;
  if (rest[0] === 'namespaces' && rest.length > 2 && !(rest.length === 3 && ['status', 'finalize'].includes(rest[2] as string))) {
    namespace = rest[1];
    rest = rest.slice(2);
  }
  const kind = registry.byPlural(group ?? '', apiVersion ?? '', rest[0] ?? '');
  if (!kind || rest.length > 3 || (namespace !== undefined && !kind.namespaced)) return undefined;
  return { kind, namespace, name: rest[1], subresource: rest[2] };
}

/** What a client sent, and of which media type. */
export async function readBody(request: IncomingMessage, isReview: boolean): Promise<{ body: Loose; type: string }> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
  const text = await bodyOf(request);
  // kubectl sends reviews as protobuf; here their answer does not depend on what they ask.
  if (type.includes('protobuf') && !isReview) throw unsupportedMedia(['application/json', 'application/yaml']);
  if (request.method !== 'PATCH' && request.method !== 'DELETE' && !text) throw badRequest('the body of the request is empty');
  return { type, body: text && !type.includes('protobuf') ? parsed(text) : {} };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${MAX_BODY}`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): Loose {
  try {
    return JSON.parse(text);
  } catch {
    try {
      return loadManifest(text);
    } catch (error) {
      throw badRequest(`error parsing the body: ${(error as Error).message}`);
    }
  }
}

/** How a write is meant, by its query, its agent and its body. */
export function optionsOf(query: URLSearchParams, request: IncomingMessage, subresource: string | undefined, body: Loose): WriteOptions {
  const dryRun = query.getAll('dryRun').concat(body?.kind === 'DeleteOptions' ? (body.dryRun ?? []) : []);
  const agent = (request.headers['user-agent'] ?? 'unknown').split('/')[0] as string;
  const validation = query.get('fieldValidation') as WriteOptions['validation'] | null;
  return {
    dryRun: dryRun.includes('All'),
    manager: query.get('fieldManager') ?? agent,
    validation: validation ?? 'Warn',
    force: query.get('force') === 'true',
    warnings: [],
    ...(subresource && { subresource }),
  };
}

/** How a deletion is meant: the query says more than the body. */
export function deletionOf(query: URLSearchParams, body: Loose, dryRun: boolean | undefined): DeleteOptions {
  const [grace, policy] = [query.get('gracePeriodSeconds'), query.get('propagationPolicy')];
  return {
    ...body,
    ...(grace && { gracePeriodSeconds: Number(grace) }),
    ...(policy && { propagationPolicy: policy }),
    dryRun,
  } as DeleteOptions;
}
