import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Alerts } from '../chat/alerts.ts';
import { Alert, AlertmanagerMessage, AlertsTaken } from '../contract/alert.ts';

export interface AlertRoutesDeps {
  alerts: Alerts;
}

const BODY_BYTES = 4 * 1024 * 1024;

/** Receives alerts from the webhook of Alertmanager, and lists them. */
export function alertRoutes({ alerts }: AlertRoutesDeps): FastifyPluginAsyncTypebox {
  const tags = ['alerts'];
  return async (app) => {
    app.post(
      '/api/alerts/alertmanager',
      {
        config: { access: 'service', bearer: true },
        bodyLimit: BODY_BYTES,
        schema: {
          summary: 'The webhook of Alertmanager, version 4',
          tags,
          security: [{ service: [] }, { serviceBearer: [] }],
          body: AlertmanagerMessage,
          response: { 200: AlertsTaken },
        },
      },
      (request) => alerts.take(request.body),
    );

    app.get(
      '/api/alerts',
      {
        config: { access: 'failures.read' },
        schema: { summary: 'The newest alerts of the last day', tags, response: { 200: Type.Array(Alert) } },
      },
      () => alerts.list(),
    );
  };
}
