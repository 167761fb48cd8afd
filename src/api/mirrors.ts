import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { ListBefore, ListLimit, ListText, RowId } from '../contract/fields.ts';
import type { FailureDetail } from '../contract/failure.ts';
import { FailureDiagnosis } from '../contract/diagnosis.ts';
import { DeployMirror, MirrorCheck, MirrorPreview, MirrorRecord, MirrorUse, PastMirror } from '../contract/mirror.ts';
import { VERDICTS } from '../crd/mirrorpod.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { PastPage, TrialRepository } from '../db/trials.ts';
import type { Mirrors } from '../mirrors/deploy.ts';
import type { Previewer } from '../mirrors/preview.ts';
import { ErrorBody } from '../contract/errors.ts';
import { mayBeAbsent } from './bodies.ts';
import { ApiError } from './errors.ts';
import { answerList } from './lists.ts';

export interface MirrorRoutesDeps {
  failures: Pick<FailureRepository, 'detail'>;
  previewer: Pick<Previewer, 'make' | 'explain'>;
  mirrors: Mirrors;
  trials: Pick<TrialRepository, 'past'>;
  config: { hiddenNamespaces: readonly string[] };
}

const PodId = Type.Object({ pod_id: RowId });
const PastQuery = Type.Object({
  namespace: Type.Optional(Type.String()),
  verdict: Type.Optional(Type.Enum([...VERDICTS])),
  q: ListText("source's name, namespace or reason"),
  limit: ListLimit(),
  before: ListBefore('mirrors'),
});
const MirrorId = Type.Object({ mirror_id: Type.String({ minLength: 1, maxLength: 64 }) });

/** Shows the corrections of a failure, tries one on a temporary copy of the pod, shows that mirror and removes it. */
export function mirrorRoutes({ failures, previewer, mirrors, trials, config }: MirrorRoutesDeps): FastifyPluginAsyncTypebox {
  const isHidden = (namespace: string): boolean => config.hiddenNamespaces.includes(namespace);
  const scope: PastPage['scope'] = { namespaces: '*', hidden: [...config.hiddenNamespaces] };
  const failure = async (id: number): Promise<FailureDetail> => {
    const detail = await failures.detail(id);
    if (!detail || isHidden(detail.namespace)) throw new ApiError(404, 'Pod failure not found');
    return detail;
  };
  const mirror = async (id: string): Promise<MirrorRecord> => {
    const record = await mirrors.status(id);
    if (!record || isHidden(record.namespace)) throw new ApiError(404, 'Mirror not found');
    return record;
  };

  return async (app) => {
    app.get(
      '/api/pods/failed/:pod_id/diagnosis',
      {
        config: { access: 'failures.read' },
        schema: {
          summary: 'Why a pod fails and what would correct it, as things are now',
          tags: ['pods'],
          params: PodId,
          response: { 200: FailureDiagnosis },
        },
      },
      async (request) => previewer.explain(await failure(request.params.pod_id)),
    );

    app.post(
      '/api/mirror/preview/:pod_id',
      {
        config: { access: 'mirrors.run' },
        schema: { summary: 'Preview corrections of a failure', tags: ['mirrors'], params: PodId, response: { 200: MirrorPreview } },
      },
      async (request) => {
        const detail = await failure(request.params.pod_id);
        const preview = await previewer.make(detail);
        await request.audit('mirror.preview', `${detail.namespace}/${detail.pod_name}`, { id: detail.id, preview: preview.id });
        return preview;
      },
    );

    app.post(
      '/api/mirror/deploy/:pod_id',
      {
        config: { access: 'mirrors.run' },
        schema: {
          summary: 'Try a correction on a mirror; the body may be left out',
          tags: ['mirrors'],
          params: PodId,
          body: DeployMirror,
          response: { 200: MirrorRecord, 409: ErrorBody },
        },
        // Every field is optional, and so is the body: `curl -X POST` sends none.
        preValidation: mayBeAbsent,
      },
      async (request) => {
        const detail = await failure(request.params.pod_id);
        const record = await mirrors.deploy(detail, request.body);
        await request.audit('mirror.deploy', `${record.namespace}/${record.name}`, { id: detail.id, ttl_seconds: record.ttl_seconds });
        return record;
      },
    );

    app.post(
      '/api/mirror/check/:pod_id',
      {
        config: { access: 'mirrors.run' },
        schema: {
          summary: 'Check a correction as a deploy would; no mirror is made',
          tags: ['mirrors'],
          params: PodId,
          body: DeployMirror,
          response: { 200: MirrorCheck, 409: ErrorBody },
        },
        preValidation: mayBeAbsent,
      },
      async (request) => mirrors.check(await failure(request.params.pod_id), request.body),
    );

    app.get(
      '/api/mirror/status/:mirror_id',
      {
        config: { access: 'mirrors.read' },
        schema: { summary: 'One mirror', tags: ['mirrors'], params: MirrorId, response: { 200: MirrorRecord } },
      },
      (request) => mirror(request.params.mirror_id),
    );

    app.get(
      '/api/mirror/active',
      {
        config: { access: 'mirrors.read' },
        schema: { summary: 'Mirrors whose time is not over', tags: ['mirrors'], response: { 200: Type.Array(MirrorRecord) } },
      },
      async () => (await mirrors.active()).filter(({ namespace }) => !isHidden(namespace)),
    );

    app.get(
      '/api/mirror/past',
      {
        config: { access: 'mirrors.read' },
        schema: {
          summary: 'Mirrors that are over, with what they proved',
          tags: ['mirrors'],
          querystring: PastQuery,
          response: { 200: Type.Array(PastMirror), 304: Type.Null() },
        },
      },
      (request, reply) => answerList(request, reply, { ...request.query, scope }, trials.past) as Promise<never>,
    );

    app.get(
      '/api/mirror/limits',
      {
        config: { access: 'mirrors.read' },
        schema: { summary: 'How many mirrors live, and how many may', tags: ['mirrors'], response: { 200: MirrorUse } },
      },
      async () => {
        const { namespaces, live, ...limits } = await mirrors.use();
        const [hidden, shown] = [
          namespaces.filter(({ namespace }) => isHidden(namespace)),
          namespaces.filter(({ namespace }) => !isHidden(namespace)),
        ];
        return { ...limits, live: live - hidden.reduce((sum, one) => sum + one.live, 0), namespaces: shown };
      },
    );

    app.delete(
      '/api/mirror/:mirror_id',
      {
        config: { access: 'mirrors.run' },
        schema: { summary: 'End a mirror', tags: ['mirrors'], params: MirrorId, response: { 204: Type.Null(), 409: ErrorBody } },
      },
      async (request, reply) => {
        const record = await mirror(request.params.mirror_id);
        await mirrors.remove(record.mirror_id);
        await request.audit('mirror.delete', `${record.namespace}/${record.name}`, { mirror_id: record.mirror_id });
        return reply.code(204).send(null);
      },
    );
  };
}
