import { isResolved, JSON_TYPE, read } from './answers.ts';
import type { Service } from './service.ts';
import { fitted, inert, mapTexts } from './text.ts';
import { linesOf } from './words.ts';

const MAX_BYTES = 60_000;

/** incident.io, by an HTTP alert source (keys `address` and `token`). `deduplication_key` keeps one alert for each incident. */
export const incidentio: Service = {
  pauseMs: 500,
  canUpdate: () => true,
  lacks({ address, secret }) {
    if (address === '') return 'the Secret needs the key address: the address of the alert source';
    return secret.token ? undefined : 'the Secret needs the key token: the token of the alert source';
  },
  requests: ({ notification, target }) => {
    const body = fitted(notification, MAX_BYTES, (whole) => {
      const said = mapTexts(whole, inert);
      return {
        title: said.title,
        // The description is Markdown, in which indented lines are shown unchanged.
        description: linesOf(said).replaceAll(/^/gm, '    '),
        deduplication_key: said.key,
        status: isResolved(said) ? 'resolved' : 'firing',
        ...(said.link && { source_url: said.link }),
        metadata: { cluster: said.cluster, namespace: said.namespace, workload: said.workload, reason: said.reason },
      };
    });
    const headers = { ...JSON_TYPE, authorization: `Bearer ${target.secret.token ?? ''}` };
    return [{ method: 'POST', url: target.address, headers, body }];
  },
  read(answer, now) {
    const outcome = read(answer, now);
    return outcome.ok ? { ok: true, state: 'accepted' } : outcome;
  },
};
