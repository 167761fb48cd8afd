import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { type Given, givenIn, rewritten } from '../given-values.ts';

/** A port of well-known servers for another protocol than their clients speak. Source: the documents of the servers. */
interface OtherPort {
  /** Addresses of such servers. */
  address: RegExp;
  /** What the names of variables have in them that hold such a port alone. */
  variable?: RegExp;
  port: string;
  clients: string;
  /** What the line must say. */
  says?: RegExp;
}

const PORTS: readonly OtherPort[] = [
  // OpenTelemetry, "OTLP Specification": gRPC and HTTP have a port each.
  { address: /otel|otlp|collector|tempo|jaeger|alloy/i, port: '4318', clients: '4317', says: /server preface|frame too large/i },
  {
    address: /otel|otlp|collector|tempo|jaeger|alloy/i,
    port: '4317',
    clients: '4318',
    says: /malformed HTTP (?:response|version)|HTTP\/0\.9/i,
  },
  // librdkafka asks so when a broker with TLS closes the connection.
  { address: /kafka|broker|redpanda/i, port: '9093', clients: '9092', says: /SSL listener\?/ },
  { address: /^amqps?:/, variable: /RABBIT|AMQP/i, port: '15672', clients: '5672' },
  { address: /^mongodb/, variable: /MONGO/i, port: '28017', clients: '27017' },
  { address: /^nats:/, variable: /NATS/i, port: '8222', clients: '4222' },
  { address: /^https?:.*elastic|^https?:.*opensearch/, variable: /ELASTIC|OPENSEARCH/i, port: '9300', clients: '9200' },
  { address: /^https?:.*vault/, port: '8201', clients: '8200' },
  { address: /^https?:.*etcd/, port: '2380', clients: '2379' },
  { address: /^pulsar:/, port: '8080', clients: '6650' },
  { address: /^rediss?:/, variable: /REDIS/i, port: '16379', clients: '6379' },
  // A client of Sentinel asks that port.
  { address: /^rediss?:/, variable: /REDIS(?!.*SENTINEL)/i, port: '26379', clients: '6379' },
];

/** The value with the port for clients; undefined where the setting has no other port. */
function withClientPort({ name, value }: Given, line: string): { port: string; clients: string; to: string } | undefined {
  for (const { address, variable, port, clients, says } of PORTS) {
    if (says && !says.test(line)) continue;
    if (value === port && variable?.test(name) && /PORT$/i.test(name)) return { port, clients, to: clients };
    if (address.test(value) && new RegExp(`:${port}(?!\\d)`).test(value))
      return { port, clients, to: value.replace(`:${port}`, `:${clients}`) };
  }
  return undefined;
}

/** For a connection that breaks at once: replaces a port for administration or members with the port for clients. */
export function clientPort(input: RuleInput, line: string): { name: string; port: string; correction: Correction } | undefined {
  const place = input.place();
  for (const given of place ? givenIn(place) : []) {
    const found = withClientPort(given, line);
    if (!place || !found) continue;
    const { port, clients, to } = found;
    return {
      name: given.name,
      port,
      correction: {
        title: `Use port ${code(clients)}`,
        changes: [rewritten(place, given, to, `port ${port} of such a server speaks another protocol`)],
        confidence: 'likely',
        explanation: `Clients of such a server use port ${clients}.`,
        mirrorable: true,
      },
    };
  }
  return undefined;
}
