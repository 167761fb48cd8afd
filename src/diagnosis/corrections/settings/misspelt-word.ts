import type { RuleInput } from '../../facts/input.ts';
import { logSections } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { rewritten, wordsIn } from '../given-values.ts';
import { wordsAt } from '../replace-text.ts';
import { editDistance } from '../similar-names.ts';

const SWITCHES = ['true', 'false'];
/** Words that the settings of many programs use as values. */
const WORDS = [
  ...SWITCHES, 'enabled', 'disabled', 'always', 'never', 'production', 'development', 'staging', 'debug', 'info', 'warning', 'error', 'trace',
  'localhost', 'http', 'https', 'grpc', 'amqp', 'redis', 'postgres', 'postgresql', 'mysql', 'mariadb', 'mongodb', 'sqlite', 'rabbitmq', 'kafka', 'memcached',
  'elasticsearch', 'opensearch', 'database', 'default', 'plaintext', 'require', 'required', 'disable', 'prefer', 'verify-full', 'verify-ca', 'cluster',
  'standalone', 'replica', 'primary', 'secondary', 'filesystem', 'memory', 'local', 'server', 'worker', 'scheduler', 'webserver', 'controller', 'broker',
  'json', 'yaml', 'text', 'gzip', 'snappy', 'sha256', 'bearer', 'basic', 'password', 'certificate', 'kubernetes', 'docker',
  // Components of Mimir, Loki and Tempo (Grafana Mimir, "Configuration parameters").
  'ingester', 'distributor', 'querier', 'query-frontend', 'query-scheduler', 'compactor', 'store-gateway', 'ruler', 'overrides-exporter',
  // Airflow, "Executor types".
  'KubernetesExecutor', 'CeleryExecutor', 'LocalExecutor', 'SequentialExecutor',
]; // prettier-ignore
/** Words that differ from one of these by a letter, and are right: other forms of it, and commands. */
const OTHER_FORMS = [
  'serve', 'servers', 'workers', 'brokers', 'schedulers', 'controllers', 'replicas', 'locale', 'locals', 'errors', 'bases', 'works', 'texts',
]; // prettier-ignore
const KNOWN = new Set([...WORDS, ...OTHER_FORMS].map((word) => word.toLowerCase()));

/** The known word from which the value differs by one typo (one letter, or two swapped neighbours). Undefined if there is not exactly one. */
function meant(value: string): string | undefined {
  const word = value.toLowerCase();
  if (word.length < 4 || !/^[a-z][a-z\d-]{3,30}$/.test(word) || KNOWN.has(word)) return undefined;
  const near = WORDS.filter((one) => one.length > 3 && one[0]?.toLowerCase() === word[0] && editDistance(word, one.toLowerCase()) === 1);
  return near.length === 1 ? near[0] : undefined;
}

/** The only setting whose value is a typo of a known word. The log must contain the value, unless the word is `true` or `false`. */
export function misspeltWord(input: RuleInput, line: string): { name: string; value: string; correction: Correction } | undefined {
  const place = input.place();
  const texts = logSections(input.subject).map(({ text }) => text.slice(0, 20_000));
  const found = (place ? wordsIn(place) : []).flatMap((one) => {
    const to = meant(one.value);
    return to !== undefined && (SWITCHES.includes(to) || [line, ...texts].some((text) => wordsAt(text, one.value).length > 0))
      ? [{ one, to }]
      : [];
  });
  const [only, ...more] = found;
  if (!place || !only || more.length > 0) return undefined;
  const { one, to } = only;
  const written = one.value === one.value.toUpperCase() ? to.toUpperCase() : to;
  return {
    name: one.name,
    value: one.value,
    correction: {
      title: `Write ${code(written)} instead of ${code(one.value)}`,
      changes: [rewritten(place, one, written, `${code(one.value)} looks like a slip of it`)],
      confidence: 'likely',
      explanation: `The program does not know ${code(one.value)}.`,
      mirrorable: true,
    },
  };
}
