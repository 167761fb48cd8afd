import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureReport } from '../../src/contract/failure.ts';
import type { CoreEvent, Pod } from '../../src/crd/kubernetes.ts';
import { collector, type CollectDeps } from '../../src/agent/collect-evidence.ts';
import type { Failure } from '../../src/failures/detect/detect.ts';
import { createLog } from '../../src/log.ts';
import { maskManifest } from '../../src/redact/manifest.ts';
import { maskText } from '../../src/redact/text.ts';
import { characters, type Format, FORMATS, HARMLESS } from '../support/builders/canaries.ts';
import { aPod, after, anEvent } from '../support/builders/pod.ts';
import { random } from '../support/builders/random.ts';

const MANY = 300;

/** A text to plant in one place of a report. `under` is the name in front of it, where it needs one. */
interface Plant {
  place: keyof typeof PLACES;
  text: string;
  under: string | undefined;
}

interface Planted {
  env: { name: string; value: string }[];
  args: string[];
  annotations: Record<string, string>;
  image: string;
  log: string[];
  events: CoreEvent[];
}

const screaming = (name: string): string => name.replaceAll('-', '_').toUpperCase();
/** A log line that contains the text, as programs write it, after a name if there is one. */
const line = ({ text, under }: Plant, before: string): string => (under ? `${before} ${under}=${text}` : `${before} ${text} was used`);

const PLACES = {
  env: ({ text, under }: Plant, to: Planted) => to.env.push({ name: under ? screaming(under) : 'SETTING', value: text }),
  args: ({ text, under }: Plant, to: Planted) => to.args.push(...(under ? [`--${under}`, text] : [`--setting=${text}`])),
  annotations: ({ text, under }: Plant, to: Planted) => (to.annotations[`shop.example/${under ?? 'note'}`] = text),
  log: (plant: Plant, to: Planted) => to.log.push(line(plant, '2026-01-01T00:00:10Z ERROR cannot start:')),
  events: (plant: Plant, to: Planted) => to.events.push(anEvent('Failed', line(plant, 'Error: cannot start:'), 20)),
  image: ({ text }: Plant, to: Planted) => (to.image = text),
};
const places = Object.keys(PLACES) as Plant['place'][];

/** The agent's report of a pod with all these plants, and the output of both masking functions for the same pod. */
async function reported(plants: Plant[]): Promise<string> {
  const to: Planted = { env: [], args: [], annotations: {}, image: 'web:1', log: [], events: [] };
  for (const plant of plants) PLACES[plant.place](plant, to);
  const { env, args, annotations, image } = to;
  const pod: Pod = aPod({
    metadata: { annotations },
    spec: { containers: [{ name: 'app', image, env, args }] },
    app: {
      image,
      ready: false,
      restartCount: 2,
      state: { waiting: { reason: 'CrashLoopBackOff', message: to.log.join('; ') } },
      lastState: { terminated: { exitCode: 1, message: to.log.join('\n'), finishedAt: after(20) } },
    },
  });
  const failure: Failure = { reason: 'CrashLoopBackOff', family: 'crash', container: 'app', message: to.log.join('\n') };
  const read = (async () => pod) as CollectDeps['client']['read'];
  const client = { read, list: async () => [], logs: async () => to.log.join('\n') };
  const { pod: collect } = collector({ client, cluster: 'test', log: createLog({ level: 'silent' }) });
  const { report } = await collect(pod, failure, { events: to.events });
  return (
    spread(report) + spread(maskManifest(pod)) + [...to.log, ...to.events.map(({ message }) => message ?? '')].map(maskText).join('\n')
  );
}

/** All strings of a report, without the escapes of JSON and YAML. */
function spread(value: FailureReport | object): string {
  const strings: string[] = [];
  JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'string') strings.push(inner);
    return inner;
  });
  return strings.join('\n');
}

/** An image can hold only an address. The secret is a password or a parameter in it. */
function imageOf(format: Format, core: string, n: number): string {
  const word = encodeURIComponent(core.replaceAll('\n', ''));
  const whole = encodeURIComponent(format.text(core).replaceAll('\n', ''));
  const kinds = [
    `https://robot:${word}@registry.example/shop/app:1`,
    `robot:${word}@registry.example/shop/app:1`,
    `https://registry.example/shop/app?token=${whole}`,
  ];
  return kinds[n % kinds.length] ?? '';
}

/** The parts that would identify the secret. */
function partsOf(core: string): string[] {
  const lines = core.split('\n');
  return lines.flatMap((part) => [part, encodeURIComponent(part), part.slice(0, 12), part.slice(-12)]);
}

function linesWith(said: string, part: string): string {
  return said
    .split('\n')
    .filter((one) => one.includes(part))
    .join('\n');
}

const redaction = suite('canaries');

const r = random(20_260_101);
const secrets = Array.from({ length: MANY }, (_, n) => {
  const format = FORMATS[n % FORMATS.length] as Format;
  // Shifts by one with each round, so that every format is planted in every place.
  const place = places[(n + Math.floor(n / FORMATS.length)) % places.length] as Plant['place'];
  const core = format.core(r);
  const text = place === 'image' ? imageOf(format, core, n) : format.text(core);
  return { format: format.name, core, plant: { place, text, under: format.under } };
});

redaction('there are enough formats, and every one is planted in every place', () => {
  assert.ok(FORMATS.length >= 15);
  assert.is(new Set(secrets.map(({ format, plant }) => `${format} ${plant.place}`)).size, FORMATS.length * places.length);
  assert.is(new Set(secrets.map(({ core }) => core)).size, MANY);
});

for (const { name } of FORMATS)
  redaction(`${name}: none survives`, async () => {
    for (const { core, plant } of secrets.filter(({ format }) => format === name)) {
      const said = await reported([plant]);
      for (const part of partsOf(core)) assert.not.ok(said.includes(part), `${plant.place}: ${plant.text}\n${linesWith(said, part)}`);
    }
  });

redaction('many secrets in one report do not hide each other from the mask', async () => {
  for (let from = 0; from < MANY; from += 12) {
    const some = secrets.slice(from, from + 12);
    const said = await reported(some.map(({ plant }) => plant));
    const seen = some.filter(({ core }) => partsOf(core).some((part) => said.includes(part)));
    assert.equal(
      seen.map(({ format, plant }) => [format, plant.place]),
      [],
    );
  }
});

redaction('of what only looks like a secret, at least 95 % stay readable', async () => {
  const harmless = Array.from({ length: MANY }, (_, n) => {
    const kind = HARMLESS[n % HARMLESS.length] as (typeof HARMLESS)[number];
    const place = places[(n + Math.floor(n / HARMLESS.length)) % places.length] as Plant['place'];
    return { kind: kind.name, plant: { place, text: kind.make(r), under: undefined } };
  });
  const lost: string[] = [];
  for (const { kind, plant } of harmless) {
    const said = await reported([plant]);
    if (!said.includes(plant.text)) lost.push(`${kind} in ${plant.place}: ${plant.text}`);
  }
  assert.ok(lost.length <= MANY * 0.05, `${lost.length} lost\n${lost.join('\n')}`);
});

redaction('long lines of what begins like a secret are read in bounded time', () => {
  const beginnings = FORMATS.map(({ text }) => text(''));
  for (const beginning of [...beginnings, 'robot:x', '?token', 'user:@', 'a:b@']) {
    const hostile = [
      beginning.repeat(Math.ceil(100_000 / (beginning.length || 1))).slice(0, 100_000),
      beginning + characters(r, 'a:@/', 100_000),
    ];
    for (const text of hostile) {
      const begun = process.cpuUsage();
      maskText(text);
      maskManifest({ image: text, value: text });
      const { user } = process.cpuUsage(begun);
      assert.ok(user < 2_000_000, `${JSON.stringify(beginning)}: ${user} µs`);
    }
  }
});

redaction.run();
