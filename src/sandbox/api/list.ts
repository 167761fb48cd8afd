import type { Api } from './api.ts';
import type { FieldError } from './errors.ts';
import { badRequest, expired, forbiddenField, invalidOptions, notSupported } from './errors.ts';
import type { Kind } from '../kinds/kinds.ts';
import { apiVersionOf } from '../kinds/kinds.ts';
import type { Loose, Stored } from '../store/object.ts';
import { keyOf } from '../store/object.ts';
import { shownAs } from '../table/served-version.ts';
import type { Selector } from '../store/selectors.ts';
import { fieldSelector, labelSelector } from '../store/selectors.ts';

/** The label and field selectors of a request. Throws a 400. */
export function selectorOf(kind: Kind, query: URLSearchParams): Selector {
  const labels = query.get('labelSelector');
  const fields = query.get('fieldSelector');
  const byLabels = labels ? labelSelector(labels) : undefined;
  const byFields = fields ? fieldSelector(fields, kind) : undefined;
  return (object) => (byLabels?.(object) ?? true) && (byFields?.(object) ?? true);
}

interface Token {
  rv: number;
  start: string;
}

const tokenText = (token: Token) => Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', ...token })).toString('base64url');

function tokenOf(text: string): Token {
  try {
    const token = JSON.parse(Buffer.from(text, 'base64url').toString()) as Token;
    if (Number.isInteger(token.rv) && typeof token.start === 'string') return token;
  } catch {
    // answered below
  }
  const [first = 0] = Buffer.from(text, 'base64url');
  const character = first < 128 ? String.fromCharCode(first) : `\\u${first.toString(16).padStart(4, '0')}`;
  throw badRequest(`invalid continue token: continue key is not valid: invalid character '${character}' looking for beginning of value`);
}

/** Items of Go's typed lists do not repeat what the list says; items of custom kinds do. */
function listed(kind: Kind, object: Stored): Loose {
  if (kind.isCustom) return object;
  const { apiVersion: _apiVersion, kind: _kind, ...rest } = object;
  return rest;
}

/** Throws a 400 or 422 for an invalid list request. */
function checkList(query: URLSearchParams): void {
  const [limit, version, match] = [query.get('limit'), query.get('resourceVersion'), query.get('resourceVersionMatch')];
  if (limit && !/^-?\d+$/.test(limit)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(limit)}: invalid syntax`);
  const field = 'resourceVersionMatch';
  const refused = (error: FieldError) => invalidOptions('ListOptions', error);
  if (match && !version) throw refused(forbiddenField(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
  if (match === 'Exact' && version === '0')
    throw refused(forbiddenField(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  if (match && !['Exact', 'NotOlderThan'].includes(match)) throw refused(notSupported(field, match, ['Exact', 'NotOlderThan', '']));
  if (version && !/^\d+$/.test(version))
    throw badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(version)}: strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`,
    );
  if (query.get('continue') && version && version !== '0')
    throw badRequest('specifying resource version is not allowed when using continue');
}

/** A `…List`, or a page of it if the request has a limit. A watch may start from its resource version. */
export function listObjects({ store }: Api, kind: Kind, namespace: string | undefined, query: URLSearchParams): Loose {
  checkList(query);
  const matches = selectorOf(kind, query);
  const limit = Number(query.get('limit') ?? 0);
  const token = query.get('continue') ? tokenOf(query.get('continue') as string) : undefined;
  if (token && store.since(kind.storage, token.rv) === undefined)
    throw expired(
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    );
  const every = token ? store.listAt(kind.storage, token.rv, namespace) : store.list(kind.storage, namespace);
  const all = every.filter((object) => (!token || keyOf(object) > token.start) && matches(object));
  const page = limit > 0 ? all.slice(0, limit) : all;
  const rv = token?.rv ?? store.revision;
  const last = page.at(-1);
  // With a selector, the real server stops when the page is full, without knowing whether more objects match.
  const isCut = last !== undefined && page.length === limit && every.some((object) => keyOf(object) > keyOf(last));
  const metadata: Loose = { resourceVersion: String(rv) };
  if (isCut) {
    metadata.continue = tokenText({ rv, start: keyOf(last) });
    if (!query.get('labelSelector') && !query.get('fieldSelector')) metadata.remainingItemCount = all.length - page.length;
  }
  return {
    kind: `${kind.kind}List`,
    apiVersion: apiVersionOf(kind),
    metadata,
    items: page.map((object) => listed(kind, shownAs(kind, object))),
  };
}
