import type { Api } from './api.ts';
import { expired, badRequest } from './errors.ts';
import { eventFromCore } from './events.ts';
import type { Kind } from './kinds.ts';
import { apiVersionOf } from './kinds.ts';
import type { Loose, Stored } from './object.ts';
import { keyOf } from './object.ts';
import type { Selector } from './selectors.ts';
import { fieldSelector, labelSelector } from './selectors.ts';

/** The selectors of a request as one question. Throws a 400. */
export function selectorOf(kind: Kind, query: URLSearchParams): Selector {
  const labels = query.get('labelSelector');
  const fields = query.get('fieldSelector');
  const byLabels = labels ? labelSelector(labels) : undefined;
  const byFields = fields ? fieldSelector(fields, kind.kind) : undefined;
  return (object) => (byLabels?.(object) ?? true) && (byFields?.(object) ?? true);
}

/** The object as this version of its kind shows it. */
export function shownAs(kind: Kind, object: Stored): Stored {
  if (kind.storage === 'events') return kind.group ? eventFromCore(object) : object;
  const apiVersion = apiVersionOf(kind);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
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
  throw badRequest('continue key is not valid: unexpected token');
}

/** A `…List`, a page of one when the request limits it; its resource version is what a watch may start from. */
export function listObjects({ store }: Api, kind: Kind, namespace: string | undefined, query: URLSearchParams): Loose {
  const matches = selectorOf(kind, query);
  const limit = Number(query.get('limit') ?? 0);
  const token = query.get('continue') ? tokenOf(query.get('continue') as string) : undefined;
  if (token && store.since(kind.storage, token.rv) === undefined)
    throw expired(
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    );
  const all = store.list(kind.storage, namespace).filter((object) => (!token || keyOf(object) > token.start) && matches(object));
  const page = limit > 0 ? all.slice(0, limit) : all;
  const rv = token?.rv ?? store.revision;
  const last = page.at(-1);
  const metadata: Loose = { resourceVersion: String(rv) };
  if (last && page.length < all.length) {
    metadata.continue = tokenText({ rv, start: keyOf(last) });
    if (!query.get('labelSelector') && !query.get('fieldSelector')) metadata.remainingItemCount = all.length - page.length;
  }
  return { kind: `${kind.kind}List`, apiVersion: apiVersionOf(kind), metadata, items: page.map((object) => shownAs(kind, object)) };
}
