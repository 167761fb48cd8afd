import type { IncomingMessage } from 'node:http';
import { loadManifest } from '../../crd/manifest.ts';
import type { DeleteOptions, WriteOptions } from './api.ts';
import type { FieldError } from './errors.ts';
import { ApiError, badRequest, forbiddenField, invalidOptions, notSupported, tooLong, unsupportedMedia } from './errors.ts';
import type { Kind, Registry } from '../kinds/kinds.ts';
import type { Loose } from '../store/object.ts';

/** The target of a request: a kind, optionally one object, optionally a subresource. */
export interface Target {
  kind: Kind;
  namespace: string | undefined;
  name: string | undefined;
  subresource: string | undefined;
}

const MAX_BODY = 3 * 1024 * 1024;

/** The target of a path; undefined if there is none. */
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

/** The body that a client sent, and its media type. */
export async function readBody(request: IncomingMessage, kind: Kind): Promise<{ body: Loose; type: string }> {
  const isReview = kind.verbs.length === 1;
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
  const isMedia = /json|yaml|protobuf|^$/.test(type);
  if (!isMedia && request.method !== 'PATCH') throw unsupportedMedia(['application/json', 'application/yaml']);
  const text = await bodyOf(request);
  // kubectl sends reviews as protobuf. In the sandbox, their answer does not depend on the question.
  if (type.includes('protobuf') && !isReview) throw unsupportedMedia(['application/json', 'application/yaml']);
  if (type.includes('protobuf')) return { type, body: undefined };
  const how = { isYaml: type.includes('yaml'), isPatch: request.method === 'PATCH', kind: kind.kind };
  return { type, body: text || request.method !== 'DELETE' ? parsed(text, how) : {} };
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

/** The content of a body. Throws a 400 in the words of Go's decoder. */
function parsed(text: string, { isYaml, isPatch, kind }: { isYaml: boolean; isPatch: boolean; kind: string }): Loose {
  try {
    return isYaml ? loadManifest(text) : JSON.parse(text);
  } catch (error) {
    if (isYaml) throw badRequest(`error parsing YAML: ${(error as Error).message}`);
    const why =
      /Unexpected end|Unterminated|Expected .* at position \d+ \(line 1 column \d+\)$|Expected property name/.test(
        (error as Error).message,
      ) || text.trim() === ''
        ? 'unexpected end of JSON input'
        : 'invalid character in JSON';
    throw badRequest(
      isPatch
        ? `error decoding patch: ${why}`
        : `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${why} (${text || '<empty>'})`,
    );
  }
}

const OPTIONS: Record<string, string> = { POST: 'CreateOptions', PUT: 'UpdateOptions', PATCH: 'PatchOptions', DELETE: 'DeleteOptions' };

/** Throws a 422 for an invalid query. */
function checkQuery(query: URLSearchParams, method: string, isApply: boolean): void {
  const errors: FieldError[] = [];
  const validation = query.get('fieldValidation');
  if (method === 'PATCH' && !isApply && query.get('force') !== null)
    errors.push(forbiddenField('force', 'may not be specified for non-apply patch'));
  if ((query.get('fieldManager') ?? '').length > 128) errors.push(tooLong('fieldManager', 128));
  const dryRun = query.getAll('dryRun').filter((value) => value !== 'All');
  if (dryRun.length) errors.push(notSupported('dryRun', query.getAll('dryRun'), ['All']));
  if (validation && !['Strict', 'Warn', 'Ignore'].includes(validation))
    errors.push(notSupported('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn']));
  const policy = query.get('propagationPolicy');
  if (policy && !['Foreground', 'Background', 'Orphan'].includes(policy))
    errors.push(notSupported('propagationPolicy', policy, ['Foreground', 'Background', 'Orphan', 'nil']));
  if (errors.length) throw invalidOptions(OPTIONS[method] ?? method, ...errors);
}

/** The options of a write, from its query, its user agent and its body. */
export function optionsOf(query: URLSearchParams, request: IncomingMessage, subresource: string | undefined, body: Loose): WriteOptions {
  checkQuery(query, request.method ?? '', (request.headers['content-type'] ?? '').startsWith('application/apply-patch'));
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

/** The options of a deletion. The query takes precedence over the body. */
export function deletionOf(query: URLSearchParams, body: Loose, dryRun: boolean | undefined): DeleteOptions {
  const [grace, policy] = [query.get('gracePeriodSeconds'), query.get('propagationPolicy')];
  return {
    ...body,
    ...(grace && { gracePeriodSeconds: Number(grace) }),
    ...(policy && { propagationPolicy: policy }),
    dryRun,
  } as DeleteOptions;
}
