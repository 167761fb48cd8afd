import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { ObjectName } from '../contract/fields.ts';
import { AgentRecord, Heartbeat, HeartbeatAnswer } from '../contract/agent.ts';
import { observedAt } from '../failures/policy/clock-skew.ts';
import type { AppDeps } from './deps.ts';

/** Routes for agents, of which each node has one: receives their heartbeats and lists them. */
export function agentRoutes({ agents, recovery, now }: Pick<AppDeps, 'agents' | 'recovery' | 'now'>): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.put(
      '/api/agents/:node',
      {
        config: { access: 'service' },
        schema: {
          summary: 'Heartbeat of the agent of a node',
          tags: ['agents'],
          params: Type.Object({ node: ObjectName }),
          body: Heartbeat,
          response: { 200: HeartbeatAnswer },
        },
      },
      ({ params, body, headers }) => {
        const at = now();
        return recovery.heartbeat(params.node, body, at, observedAt(body.observed_at, headers.date, at));
      },
    );

    app.get(
      '/api/agents',
      {
        config: { access: 'agents.read' },
        schema: { summary: 'The agents and when they were last heard', tags: ['agents'], response: { 200: Type.Array(AgentRecord) } },
      },
      () => agents.list(now()),
    );
  };
}
