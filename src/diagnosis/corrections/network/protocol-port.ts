import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten } from '../given-values.ts';

/** Ports of well-known servers for another protocol than their clients speak, and the port for clients. Source: the documents of the servers. */
const PORTS: readonly (readonly [scheme: RegExp, port: string, clients: string, says?: RegExp])[] = [
  // OpenTelemetry, "OTLP Specification": gRPC and HTTP have a port each.
  [/otel|otlp|collector|tempo|jaeger|alloy/i, '4318', '4317', /server preface|frame too large/i],
  [/otel|otlp|collector|tempo|jaeger|alloy/i, '4317', '4318', /malformed HTTP (?:response|version)|HTTP\/0\.9/i],
  [/^amqps?:/, '15672', '5672'],
  [/^mongodb/, '28017', '27017'],
  [/^nats:/, '8222', '4222'],
  [/^https?:.*elastic|^https?:.*opensearch/, '9300', '9200'],
  [/^https?:.*vault/, '8201', '8200'],
  [/^https?:.*etcd/, '2380', '2379'],
  [/^pulsar:/, '8080', '6650'],
  [/^rediss?:/, '16379', '6379'],
  [/^rediss?:/, '26379', '6379'],
];

/** For a connection that breaks at once: replaces a port for administration or members with the port for clients. */
export function clientPort(input: RuleInput, line: string): { name: string; port: string; correction: Correction } | undefined {
  const place = input.place();
  for (const given of place ? givenIn(place) : []) {
    const { name, value } = given;
    const [, port = '', clients = ''] =
      PORTS.find(
        ([scheme, other, , says]) =>
          (says === undefined || says.test(line)) && scheme.test(value) && new RegExp(`:${other}(?!\\d)`).test(value),
      ) ?? [];
    if (!place || port === '') continue;
    return {
      name,
      port,
      correction: {
        title: `Use port ${code(clients)}`,
        changes: [
          rewritten(place, given, value.replace(`:${port}`, `:${clients}`), `port ${port} of such a server speaks another protocol`),
        ],
        confidence: 'likely',
        explanation: `Clients of such a server use port ${clients}.`,
        mirrorable: true,
      },
    };
  }
  return undefined;
}
