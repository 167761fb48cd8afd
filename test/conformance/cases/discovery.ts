import { accepting, type Case, get, type Loose, map, MAPS, PODS, pod, post, type Step, widget, WIDGETS } from '../step.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const METADATA = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** The resources that the sandbox claims to serve, by group and version. */
const SERVED: Record<string, string> = {
  v1: 'bindings configmaps endpoints events limitranges namespaces nodes persistentvolumeclaims persistentvolumes pods pods/status pods/log pods/binding pods/eviction resourcequotas secrets serviceaccounts services namespaces/status namespaces/finalize nodes/status services/status resourcequotas/status persistentvolumes/status persistentvolumeclaims/status',
  'apps/v1': 'controllerrevisions daemonsets deployments replicasets statefulsets deployments/scale deployments/status',
  'batch/v1': 'cronjobs jobs cronjobs/status jobs/status',
  'events.k8s.io/v1': 'events',
  'networking.k8s.io/v1': 'ingresses networkpolicies ingresses/status',
  'policy/v1': 'poddisruptionbudgets poddisruptionbudgets/status',
  'rbac.authorization.k8s.io/v1': 'clusterrolebindings clusterroles rolebindings roles',
  'storage.k8s.io/v1': 'storageclasses',
  'scheduling.k8s.io/v1': 'priorityclasses',
  'coordination.k8s.io/v1': 'leases',
  'node.k8s.io/v1': 'runtimeclasses',
  'discovery.k8s.io/v1': 'endpointslices',
  'autoscaling/v2': 'horizontalpodautoscalers horizontalpodautoscalers/status',
  'authentication.k8s.io/v1': 'selfsubjectreviews tokenreviews',
  'authorization.k8s.io/v1': 'localsubjectaccessreviews selfsubjectaccessreviews selfsubjectrulesreviews subjectaccessreviews',
  'admissionregistration.k8s.io/v1': 'validatingadmissionpolicies validatingadmissionpolicybindings validatingadmissionpolicies/status',
  'apiextensions.k8s.io/v1': 'customresourcedefinitions customresourcedefinitions/status',
  'test.dev/v1': 'widgets widgets/status',
};
const served = (groupVersion: string) => new Set((SERVED[groupVersion] ?? '').split(' '));
const groups = new Set(
  Object.keys(SERVED)
    .filter((gv) => gv.includes('/'))
    .map((gv) => gv.split('/')[0]),
);
const isServed = (group: string, version: string) => SERVED[group ? `${group}/${version}` : version] !== undefined;

const byName = (a: Loose, b: Loose) => (a.name < b.name ? -1 : 1);
const resources = (body: Loose): Loose => ({
  ...body,
  resources: body.resources
    .filter((r: Loose) => served(body.groupVersion).has(r.name))
    .map(({ storageVersionHash: _hash, ...rest }: Loose) => rest)
    .sort(byName),
});
const groupList = (body: Loose): Loose => ({
  ...body,
  groups: body.groups
    .filter((g: Loose) => groups.has(g.name))
    .map(group)
    .sort(byName),
});
const group = ({ preferredVersion: _preferred, ...body }: Loose): Loose => ({
  ...body,
  versions: body.versions.filter((v: Loose) => isServed(body.name, v.version)),
});
const aggregated = (body: Loose): Loose =>
  body.items
    .filter((item: Loose) => !item.metadata.name || groups.has(item.metadata.name))
    .flatMap((item: Loose) =>
      item.versions
        .filter((v: Loose) => isServed(item.metadata.name ?? '', v.version))
        .map((v: Loose) => ({
          name: item.metadata.name ? `${item.metadata.name}/${v.version}` : v.version,
          freshness: v.freshness,
          resources: v.resources
            .filter((r: Loose) => served(item.metadata.name ? `${item.metadata.name}/${v.version}` : v.version).has(r.resource))
            .map(({ subresources, ...r }: Loose) => ({
              ...r,
              name: r.resource,
              subresources: (subresources ?? [])
                .filter((s: Loose) =>
                  served(item.metadata.name ? `${item.metadata.name}/${v.version}` : v.version).has(`${r.resource}/${s.subresource}`),
                )
                .sort((a: Loose, b: Loose) => (a.subresource < b.subresource ? -1 : 1)),
            }))
            .sort(byName),
        })),
    )
    .sort(byName);

/** A Table without descriptions and ages. */
function table(body: Loose): Loose {
  if (body.kind !== 'Table') return body;
  const age = (cell: Loose) => (typeof cell === 'string' && /^\d+s$/.test(cell) ? 'AGE' : cell);
  return {
    ...body,
    columnDefinitions: body.columnDefinitions?.map(({ description: _description, ...column }: Loose) => column),
    rows: (body.rows ?? []).map((row: Loose) => ({ ...row, cells: row.cells.map(age) })),
  };
}
const asTable = (step: Step): Step => ({ ...accepting(TABLE, step), only: table });
/** Collections to list as a Table. All other kinds have only the columns name and age. */
const EACH = [
  'api/v1/namespaces/default/services',
  'api/v1/namespaces/default/secrets',
  'api/v1/namespaces/default/events',
  'api/v1/namespaces/default/persistentvolumeclaims',
  'api/v1/namespaces/default/resourcequotas',
  'api/v1/namespaces/default/serviceaccounts',
  'apis/apps/v1/deployments',
  'apis/apps/v1/replicasets',
  'apis/apps/v1/statefulsets',
  'apis/apps/v1/daemonsets',
  'apis/batch/v1/jobs',
  'apis/events.k8s.io/v1/events',
  'apis/networking.k8s.io/v1/networkpolicies',
  'apis/scheduling.k8s.io/v1/priorityclasses',
  'apis/coordination.k8s.io/v1/leases',
  'apis/node.k8s.io/v1/runtimeclasses',
  'apis/discovery.k8s.io/v1/endpointslices',
  'apis/apiextensions.k8s.io/v1/customresourcedefinitions',
];

/** Discovery, and objects in the formats that kubectl requests. */
export const DISCOVERY: Case[] = [
  {
    sentence: 'resources are listed by group and version',
    steps: [
      ...Object.keys(SERVED).map((gv): Step => ({ ...get(gv === 'v1' ? '/api/v1' : `/apis/${gv}`), only: resources })),
      { ...get('/apis'), only: groupList },
      { ...get('/apis/apps'), only: group },
      { ...get('/api'), only: (body) => [body.kind, body.versions] },
      get('/apis/none.dev', 404),
      get('/apis/apps/v9', 404),
      get('/api/v9', 404),
    ],
  },
  {
    sentence: 'all resources are listed at once',
    steps: [
      { ...accepting(AGGREGATED, get('/api')), only: aggregated },
      { ...accepting(AGGREGATED, get('/apis')), only: aggregated },
    ],
  },
  {
    sentence: 'the server says that it is well, and which version it is',
    steps: [
      get('/healthz'),
      get('/readyz'),
      get('/livez'),
      { ...get('/version'), only: (body) => [body.major, body.minor, typeof body.gitVersion] },
    ],
  },
  {
    sentence: 'objects come as a table',
    steps: [
      post(MAPS, map('tabled', { a: '1' })),
      asTable(get(`${MAPS}/tabled`)),
      asTable(get(`${MAPS}?fieldSelector=metadata.name%3Dtabled&includeObject=None`)),
      asTable(get(`${MAPS}?fieldSelector=metadata.name%3Dtabled&includeObject=Object`)),
      asTable(get(`${MAPS}?fieldSelector=metadata.name%3Dnothing`)),
      asTable(get(`${MAPS}/nothing`, 404)),
      post(WIDGETS, widget('tabled', { color: 'red' })),
      asTable(get(`${WIDGETS}/tabled`)),
      asTable(get(`${WIDGETS}?fieldSelector=metadata.name%3Dtabled`)),
      post(PODS, pod('tabled', { schedulerName: 'nobody' })),
      asTable(get(`${PODS}/tabled`)),
    ],
  },
  {
    sentence: 'every kind has its columns',
    steps: EACH.map((path) => ({ ...accepting(TABLE, get(`/${path}?fieldSelector=metadata.name%3Dnothing`)), only: table })),
  },
  {
    sentence: 'objects come as metadata alone',
    steps: [
      accepting(METADATA, get(`${MAPS}/tabled`)),
      accepting(METADATA_LIST, get(`${MAPS}?fieldSelector=metadata.name%3Dtabled`)),
      accepting(METADATA, get(`${WIDGETS}/tabled`)),
    ],
  },
];
