import { type Case, get, type Loose, map, MAPS, PODS, pod, post, remove, type Step, widget, WIDGETS } from '../step.ts';

const names = (body: Loose) => (body.items ? body.items.map((item: Loose) => item.metadata.name) : body);
const byLabels = (selector: string, code = 200): Step => ({
  ...get(`${MAPS}?labelSelector=${encodeURIComponent(selector)}`, code),
  only: names,
});
const byFields = (path: string, selector: string, code = 200): Step => ({
  ...get(`${path}?fieldSelector=${encodeURIComponent(selector)}`, code),
  only: names,
});
const ofPage = (query: string) => get(`${MAPS}?labelSelector=page%3Dx&${query}`);

/** Lists: selectors, pages, resource versions. */
export const LISTS: Case[] = [
  {
    sentence: 'label selectors choose',
    steps: [
      post(MAPS, map('s1', {}, { app: 'x', tier: 'a', weight: '5' })),
      post(MAPS, map('s2', {}, { app: 'x', tier: 'b', weight: '10' })),
      post(MAPS, map('s3', {}, { app: 'y' })),
      ...[
        'app=x',
        'app==x',
        'app!=x,tier',
        'app=x,tier!=a',
        'tier in (a,c)',
        'tier in (a)',
        'app,tier notin (a)',
        'app in (x,y),!tier',
        'app=x,weight>7',
        'app=x,weight<7',
        ' app = x , tier = b ',
        'app=',
        'app in (x',
        'app=x,,tier',
        'app=x y',
        '=x',
        'bad key!',
        'app=bad value!',
        'weight>x',
      ].map((selector) => byLabels(selector, /\(x$|y$|^=|!$|>x$|,,/.test(selector) ? 400 : 200)),
    ],
  },
  {
    sentence: 'field selectors choose',
    steps: [
      post(PODS, pod('f1', { schedulerName: 'nobody', nodeName: 'nowhere' }, { labels: { f: 'x' } })),
      post(PODS, pod('f2', { schedulerName: 'nobody', restartPolicy: 'Never' }, { labels: { f: 'x' } })),
      byFields(MAPS, 'metadata.name=s1'),
      byFields(MAPS, 'metadata.name=s1,metadata.namespace=default'),
      byFields(MAPS, 'metadata.namespace!=default'),
      byFields(PODS, 'spec.nodeName=nowhere'),
      byFields(PODS, 'spec.nodeName=nowhere,status.phase!=Pending'),
      byFields(PODS, 'spec.restartPolicy=Never'),
      byFields(PODS, 'spec.schedulerName==nobody,metadata.name!=f1'),
      byFields(MAPS, 'spec.foo=1', 400),
      byFields(PODS, 'spec.foo=1', 400),
      byFields(WIDGETS, 'spec.color=red', 400),
      byFields(WIDGETS, 'metadata.name=none'),
      byFields(MAPS, 'metadata.name', 400),
      byFields('/api/v1/namespaces', 'metadata.name=default'),
      byFields('/api/v1/namespaces', 'status.phase=Terminating'),
      byFields('/api/v1/pods', 'metadata.name=f1'),
      byFields(`${MAPS}/s1`, 'metadata.name=s2'),
    ],
  },
  {
    sentence: 'pages follow each other',
    steps: [
      ...['p1', 'p2', 'p3', 'p4', 'p5'].map((name) => post(MAPS, map(name, {}, { page: 'x' }))),
      ofPage('limit=2'),
      (earlier) => ofPage(`limit=2&continue=${earlier[5].metadata.continue}`),
      (earlier) => ofPage(`limit=2&continue=${earlier[6].metadata.continue}`),
      ofPage('limit=5'),
      ofPage('limit=-1'),
      get(`${MAPS}?limit=1&continue=nonsense`, 400),
      get(`${MAPS}?limit=x`, 400),
      (earlier) => get(`${MAPS}?limit=2&resourceVersion=1&continue=${earlier[5].metadata.continue}`, 400),
    ],
  },
  {
    sentence: 'a page is as old as the first one',
    steps: [
      ofPage('limit=2'),
      remove(`${MAPS}/p3`),
      post(MAPS, map('p6', {}, { page: 'x' })),
      ([first]) => ({
        ...ofPage(`continue=${first.metadata.continue}`),
        only: (body) => [names(body), body.metadata.remainingItemCount ?? 'all'],
      }),
      ([first]) => ({
        ...ofPage(`continue=${first.metadata.continue}`),
        only: (body) => body.metadata.resourceVersion === first.metadata.resourceVersion,
      }),
    ],
  },
  {
    sentence: 'without a selector a page tells how many are left',
    steps: [
      ...['w1', 'w2', 'w3'].map((name) => post(WIDGETS, widget(name, { color: 'red' }))),
      {
        ...get(`${WIDGETS}?limit=1`),
        only: (body) => [body.kind, body.apiVersion, body.items.length, typeof body.metadata.remainingItemCount],
      },
    ],
  },
  {
    sentence: 'a list may be of a resource version, or say what it must be',
    steps: [
      ofPage('resourceVersion=0'),
      ofPage('resourceVersion=x'),
      ofPage('resourceVersionMatch=Exact'),
      ofPage('resourceVersion=0&resourceVersionMatch=Exact'),
      ofPage('resourceVersion=1&resourceVersionMatch=NotOlderThan'),
      ofPage('resourceVersion=1&resourceVersionMatch=Sometimes'),
    ].map((step, i) => ({ ...step, code: [200, 400, 422, 422, 200, 422][i] as number })),
  },
  {
    sentence: 'everything that a selector finds is deleted at once',
    steps: [
      remove(`${MAPS}?labelSelector=page%3Dx`),
      byLabels('page=x'),
      remove(`${MAPS}?labelSelector=page%3Dnothing`),
      { ...remove(`${WIDGETS}?fieldSelector=metadata.name%3Dw1`), only: names },
      { ...get(WIDGETS), only: (body) => names(body).filter((name: string) => /^w\d$/.test(name)) },
      remove('/api/v1/configmaps', undefined, 405),
    ],
  },
];
