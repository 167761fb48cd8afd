import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collector, type CollectDeps } from '../../src/agent/collect-evidence.ts';
import type { FailureReport } from '../../src/contract/failure.ts';
import type { CoreEvent, Pod } from '../../src/crd/kubernetes.ts';
import { dumpManifest, loadManifest } from '../../src/crd/manifest.ts';
import { caseOfReport } from '../../src/diagnosis/case.ts';
import type { Failure } from '../../src/failures/detect/detect.ts';
import { createLog } from '../../src/log.ts';
import { promptOf } from '../../src/models/policy/prompt.ts';
import { runDiagnose } from '../../src/modes/diagnose.ts';
import { pseudonyms } from '../../src/redact/pseudonyms.ts';
import { reportMask } from '../../src/redact/report.ts';
import { LOOK_ALIKES, NAMES, planted, type Planted, SHAPES, TOKENS } from '../support/builders/planted.ts';
import { aPod, after, anEvent } from '../support/builders/pod.ts';
import { random } from '../support/builders/random.ts';
import { spoken } from '../support/processes/command.ts';
import { testApp } from '../support/worlds/app.ts';

// Secrets planted where people leave them, and what each output still shows of them.

/** A secret. `under` is the name in front of it, if only the name identifies it. */
interface Plant extends Planted {
  kind: string;
  under: string | undefined;
}

interface Holder {
  env: { name: string; value: string }[];
  args: string[];
  annotations: Record<string, string>;
  labels: Record<string, string>;
  probe: string[];
  log: string[];
  events: CoreEvent[];
  message: string[];
}

const words = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_.-]/);
const kebab = (name: string): string => words(name).join('-');
const camel = (name: string): string => kebab(name).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
/** A log line. Half of the lines with a name have a colon after the name. */
function line({ text, under, kind }: Plant): string {
  if (under === undefined) return `2026-01-01T00:00:10Z ERROR cannot start: ${text}`;
  return kind.length % 2 === 0 ? `2026-01-01T00:00:10Z ERROR cannot start: ${under}=${text}` : `level=error ${under}: "${text}"`;
}

const PLACES: Record<string, (plant: Plant, to: Holder) => unknown> = {
  'container log': (plant, to) => to.log.push(line(plant)),
  event: (plant, to) => to.events.push(anEvent('Failed', `Error: ${line(plant)}`, 20)),
  'env value': ({ text, under }, to) => to.env.push({ name: under ?? 'SETTING', value: text }),
  argument: ({ text, under }, to) => to.args.push(...(under === undefined ? [`--setting=${text}`] : [`--${kebab(under)}`, text])),
  annotation: ({ text, under }, to) =>
    (to.annotations[`shop.example/${under === undefined ? `note-${to.args.length}` : camel(under)}`] = text),
  label: ({ text, under }, to) => (to.labels[under === undefined ? 'note' : kebab(under)] = text),
  'probe command': ({ text, under }, to) =>
    to.probe.push('sh', '-c', under === undefined ? `check ${text}` : `check --${kebab(under)}=${text}`),
  'message of the status': (plant, to) => to.message.push(line(plant)),
};
const places = Object.keys(PLACES);

function podWith(place: string, plant: Plant): { pod: Pod; to: Holder } {
  const to: Holder = { env: [], args: [], annotations: {}, labels: {}, probe: [], log: [], events: [], message: [] };
  PLACES[place]?.(plant, to);
  const { env, args, annotations, labels, probe } = to;
  const pod = aPod({
    metadata: { annotations, labels },
    spec: {
      containers: [
        { name: 'app', image: 'web:1', env, args, ...(probe.length > 0 ? { livenessProbe: { exec: { command: probe } } } : {}) },
      ],
    },
    app: {
      ready: false,
      restartCount: 2,
      state: { waiting: { reason: 'CrashLoopBackOff', message: to.message.join('; ') || 'back-off' } },
      lastState: { terminated: { exitCode: 1, reason: 'Error', message: to.message.join('\n'), finishedAt: after(20) } },
    },
  });
  return { pod, to };
}

const silent = createLog({ level: 'silent' });

/** The report that the agent sends. */
async function reportOf(place: string, plant: Plant): Promise<FailureReport> {
  const { pod, to } = podWith(place, plant);
  const failure: Failure = { reason: 'CrashLoopBackOff', family: 'crash', container: 'app', message: to.message.join('\n') };
  const read = (async () => pod) as CollectDeps['client']['read'];
  const client = { read, list: async () => [], logs: async () => to.log.join('\n') };
  const { pod: collect } = collector({ client, cluster: 'test', log: silent });
  return (await collect(pod, failure, { events: to.events })).report;
}

/** All strings and keys in a value, without escapes. */
function texts(value: unknown): string {
  const found: string[] = [];
  const collect = (inner: unknown): void => {
    if (typeof inner === 'string') found.push(inner);
    else if (Array.isArray(inner)) inner.forEach(collect);
    else if (typeof inner === 'object' && inner !== null)
      for (const [key, one] of Object.entries(inner)) {
        found.push(key);
        collect(one);
      }
  };
  collect(value);
  return found.join('\n');
}

/** Whether the text contains the beginning or the end of a random part. Each of them identifies the secret. */
function leaked({ parts }: Plant, said: string): boolean {
  return parts.some((part) => said.includes(part.slice(0, 12)) || said.includes(part.slice(-12)));
}

const r = random(20_261_122);
const under: Record<string, string> = { JWK: 'SIGNING_JWK', 'service account': 'GOOGLE_CREDENTIALS_JSON' };
const secrets: Plant[] = [
  ...Object.entries({ ...TOKENS, ...SHAPES }).map(([kind, template]) => ({ kind, under: under[kind], ...planted(r, template) })),
  ...NAMES.map((name) => ({ kind: name, under: name, ...planted(r, '{w18}') })),
];
const RULES = { names: [], emails: false, addresses: false };
const hidden = pseudonyms(Buffer.alloc(32, 1), RULES);

const plants = suite('planted secrets');

plants('are enough', () => {
  const formats = Object.keys(TOKENS).length + Object.keys(SHAPES).length;
  assert.ok(formats >= 200 && NAMES.length >= 100 && secrets.length >= 300, `${formats} formats, ${NAMES.length} names`);
});

for (const place of places)
  plants(`${place}: at least 99 % are masked in what the agent sends and in the prompt`, async () => {
    const seen: string[] = [];
    for (const secret of secrets) {
      const report = await reportOf(place, secret);
      const prompt = promptOf(caseOfReport(report), hidden, []);
      const sent = texts(report);
      if (leaked(secret, sent) || leaked(secret, prompt.user))
        seen.push(`${secret.kind}: ${sent.split('\n').find((one) => leaked(secret, one)) ?? ''}`);
    }
    assert.ok(seen.length <= secrets.length / 100, `${seen.length} of ${secrets.length} are seen\n${seen.join('\n')}`);
  });

for (const place of places)
  plants(`${place}: of what only looks like a secret at least 98 % stay`, async () => {
    const alikes = Object.entries(LOOK_ALIKES).flatMap(([kind, template]) =>
      Array.from({ length: 5 }, (): Plant => ({ kind, under: undefined, ...planted(r, template) })),
    );
    assert.ok(alikes.length >= 300);
    const lost: string[] = [];
    for (const alike of alikes) {
      const report = await reportOf(place, alike);
      const said = `${texts(report)}\n${texts(loadManifest(report.manifest ?? ''))}`;
      if (!said.includes(alike.text)) lost.push(`${alike.kind}: ${alike.text}`);
    }
    assert.ok(lost.length <= alikes.length / 50, `${lost.length} of ${alikes.length} are lost\n${lost.join('\n')}`);
  });

/** The report of a sender that masks nothing. */
function unmaskedReport(place: string, plant: Plant): FailureReport {
  const { pod, to } = podWith(place, plant);
  const { metadata, spec } = pod;
  return {
    pod_name: metadata.name ?? '',
    namespace: metadata.namespace ?? '',
    failure_reason: 'CrashLoopBackOff',
    failure_message: to.message.join('\n'),
    labels: metadata.labels ?? {},
    events: to.events.map(({ type, reason, message }) => ({ type: type ?? null, reason: reason ?? null, message: message ?? null })),
    container_statuses: [
      {
        name: 'app',
        state: 'waiting',
        reason: 'CrashLoopBackOff',
        message: to.message.join('; '),
        last_state: { message: to.message.join() },
      },
    ],
    manifest: dumpManifest({ apiVersion: 'v1', kind: 'Pod', metadata, spec }),
    logs: `==> app (previous) <==\n${to.log.join('\n')}`,
  };
}

const REPORTERS: Record<string, (place: string, plant: Plant) => FailureReport | Promise<FailureReport>> = {
  'our agent': reportOf,
  'a reporter that masks nothing': unmaskedReport,
};
for (const [who, makeReport] of Object.entries(REPORTERS))
  plants(`of ${who}: none is seen at the API or the socket`, async () => {
    const { app, send, messages, close } = await testApp();
    try {
      const seen: string[] = [];
      for (const [index, secret] of secrets.entries()) {
        const place = places[index % places.length] ?? '';
        const report = await makeReport(place, secret);
        const answer = await send('service', {
          method: 'POST',
          url: '/api/pods/failed',
          payload: { ...report, pod_name: `web-${index}`, pod_uid: `uid-${index}` },
        });
        assert.ok(answer.statusCode < 300, answer.body);
        const { id } = JSON.parse(answer.body) as { id?: number };
        const detail = id === undefined ? '' : (await send('read', { method: 'GET', url: `/api/pods/failed/${id}` })).body;
        if ([answer.body, detail].some((body) => body !== '' && leaked(secret, texts(JSON.parse(body)))))
          seen.push(`${place}: ${secret.kind}`);
      }
      const list = await send('read', { method: 'GET', url: '/api/pods/failed' });
      const told = `${texts(messages)}\n${texts(JSON.parse(list.body))}`;
      assert.ok(messages.length > 0);
      for (const secret of secrets) if (leaked(secret, told)) seen.push(`socket: ${secret.kind}`);
      assert.ok(app);
      assert.ok(seen.length <= secrets.length / 100, `${seen.length} of ${secrets.length} are seen\n${seen.join('\n')}`);
    } finally {
      await close();
    }
  });

plants('what our agent has masked stays as it is', async () => {
  const mask = reportMask();
  for (const [index, secret] of secrets.entries()) {
    const report = await reportOf(places[index % places.length] ?? '', secret);
    assert.is(mask(report), report, secret.kind);
  }
});

plants('none is seen in what `diagnose` and `why` write', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'podmend-planted-'));
  try {
    const seen: string[] = [];
    for (const [index, secret] of secrets.entries())
      for (const place of [places[index % places.length] ?? '', 'container log']) {
        const { pod, to } = podWith(place, secret);
        const events = to.events.map((event) => ({
          ...event,
          kind: 'Event',
          involvedObject: { kind: 'Pod', name: pod.metadata.name, namespace: pod.metadata.namespace, uid: pod.metadata.uid },
        }));
        writeFileSync(join(folder, 'pod.json'), JSON.stringify({ apiVersion: 'v1', kind: 'Pod', ...pod }));
        writeFileSync(join(folder, 'events.jsonl'), events.map((event) => JSON.stringify(event)).join('\n'));
        const log = {
          pod: pod.metadata.name,
          namespace: pod.metadata.namespace,
          container: 'app',
          previous: true,
          exitCode: 0,
          stdout: to.log.join('\n'),
        };
        writeFileSync(join(folder, 'logs.jsonl'), JSON.stringify(log));
        const { stdout, stderr } = await spoken(runDiagnose, ['-f', folder, '-o', 'json']);
        assert.is(stderr, '');
        if (leaked(secret, texts(JSON.parse(stdout)))) seen.push(`${place}: ${secret.kind}`);
      }
    assert.ok(seen.length <= secrets.length / 100, `${seen.length} of ${secrets.length} are seen\n${seen.join('\n')}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

plants.run();
