import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureReport } from '../../src/contract/failure.ts';
import { httpClient } from '../../src/http.ts';
import { pseudonyms } from '../../src/redact/pseudonyms.ts';
import { caseOfReport } from '../../src/diagnosis/case.ts';
import { CLIENTS } from '../../src/models/providers/list.ts';
import { promptOf } from '../../src/models/policy/prompt.ts';
import { FORMATS, type Format, HARMLESS } from '../support/builders/canaries.ts';
import { aModelAnswer, modelServer, type ModelServer, SAYS } from '../support/worlds/model-server.ts';
import { random } from '../support/builders/random.ts';
import { aCrash, aFailureReport } from '../support/builders/report.ts';

// What reaches a model, as a fake model server receives it. The reports come from a sender that does not mask.

const MANY = 300;
const PLACES = ['env', 'args', 'annotations', 'log', 'events', 'image', 'message', 'status'] as const;
type Place = (typeof PLACES)[number];

interface Plant {
  place: Place;
  text: string;
  under: string | undefined;
}

/** A report with these texts planted in it. It is unmasked, so it cannot come from our agent. */
function reportWith(plants: Plant[]): FailureReport {
  const at = (place: Place): Plant[] => plants.filter((plant) => plant.place === place);
  const line = ({ text, under }: Plant): string =>
    under ? `Error: cannot start: ${under}=${text}` : `Error: cannot start: ${text} was used`;
  const screaming = (name: string): string => name.replaceAll('-', '_').toUpperCase();
  const container = {
    name: 'app',
    image: at('image')[0]?.text ?? 'registry.example/shop/web:1',
    env: at('env').map(({ text, under }) => ({ name: under ? screaming(under) : 'SETTING', value: text })),
    args: at('args').flatMap(({ text, under }) => (under ? [`--${under}`, text] : [`--setting=${text}`])),
  };
  const annotations = Object.fromEntries(at('annotations').map(({ text, under }) => [`shop.example/${under ?? 'note'}`, text]));
  const status = at('status').map(line).join('\n');
  return aFailureReport({
    failure_message: ['back-off', ...at('message').map(line)].join(' '),
    manifest: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web-1', annotations },
      spec: { containers: [container] },
    }),
    logs: `==> app (previous) <==\n${at('log').map(line).join('\n')}\n`,
    events: at('events').map((plant) => ({ type: 'Warning', reason: 'Failed', message: line(plant) })),
    container_statuses: [{ ...aCrash(2), message: status || null }],
    images: [container.image],
  });
}

let fake: ModelServer;
const http = httpClient({ timeoutMs: 10_000, maxBytes: 100_000 });

/** Everything that the server receives for a report. */
async function received(plants: Plant[]): Promise<string> {
  fake.asked.length = 0;
  const rules = pseudonyms(Buffer.alloc(32, 1), { names: [], emails: true, addresses: false });
  const { system, user, schema, maxTokens } = promptOf(caseOfReport(reportWith(plants)), rules, []);
  const client = CLIENTS['openai-compatible']({ provider: 'openai-compatible', model: 'm', apiKey: '', baseUrl: fake.url }, http);
  await client.ask({ system, user, schema, maxTokens });
  const [asked] = fake.asked;
  return JSON.stringify(asked?.headers) + (asked?.url ?? '') + texts(asked?.body) + texts(JSON.parse(dataIn(user)));
}

function dataIn(user: string): string {
  return user.slice(user.indexOf('\n') + 1, user.indexOf('\n</untrusted'));
}

/** All strings and keys in a value, without escapes. */
function texts(value: unknown): string {
  const found: string[] = [];
  JSON.stringify(value, (key, inner: unknown) => {
    found.push(key, ...(typeof inner === 'string' ? [inner] : []));
    return inner;
  });
  return found.join('\n');
}

function partsOf(core: string): string[] {
  return core.split('\n').flatMap((part) => [part, encodeURIComponent(part), part.slice(0, 12), part.slice(-12)]);
}

function imageOf(format: Format, core: string, n: number): string {
  const word = encodeURIComponent(core.replaceAll('\n', ''));
  const whole = encodeURIComponent(format.text(core).replaceAll('\n', ''));
  return [`robot:${word}@registry.example/shop/app:1`, `https://registry.example/shop/app?token=${whole}`][n % 2] ?? '';
}

const canaries = suite('canaries and models');
canaries.before(async () => {
  fake = await modelServer(() => ({ body: SAYS['openai-compatible'].said(aModelAnswer()) }));
});
canaries.after(() => fake.close());

const r = random(20_260_607);
const secrets = Array.from({ length: MANY }, (_, n) => {
  const format = FORMATS[n % FORMATS.length] as Format;
  const place = PLACES[(n + Math.floor(n / FORMATS.length)) % PLACES.length] as Place;
  const core = format.core(r);
  return {
    name: format.name,
    core,
    plant: { place, text: place === 'image' ? imageOf(format, core, n) : format.text(core), under: format.under },
  };
});

canaries('of 300 secrets in all places, none reaches the model', async () => {
  const seen: string[] = [];
  for (const { name, core, plant } of secrets) {
    const said = await received([plant]);
    if (partsOf(core).some((part) => said.includes(part))) seen.push(`${name} in ${plant.place}: ${plant.text}`);
  }
  assert.equal(seen, []);
  assert.is(new Set(secrets.map(({ core }) => core)).size, MANY);
});

canaries('many secrets in one report do not hide each other from the mask', async () => {
  for (let from = 0; from < MANY; from += 10) {
    const some = secrets.slice(from, from + 10);
    const said = await received(some.map(({ plant }) => plant));
    assert.equal(
      some.filter(({ core }) => partsOf(core).some((part) => said.includes(part))).map(({ name, plant }) => [name, plant.place]),
      [],
    );
  }
});

canaries('of 300 texts that only look like secrets, at least 95 % reach it readable', async () => {
  // Annotations are never sent, and a report has only one image.
  const places = PLACES.filter((place) => place !== 'annotations' && place !== 'image');
  const lost: string[] = [];
  for (let n = 0; n < MANY; n++) {
    const kind = HARMLESS[n % HARMLESS.length] as (typeof HARMLESS)[number];
    const plant: Plant = {
      place: places[(n + Math.floor(n / HARMLESS.length)) % places.length] as Place,
      text: kind.make(r),
      under: undefined,
    };
    if (!(await received([plant])).includes(plant.text)) lost.push(`${kind.name} in ${plant.place}: ${plant.text}`);
  }
  assert.ok(lost.length <= MANY * 0.05, `${lost.length} lost\n${lost.join('\n')}`);
});

canaries.run();
