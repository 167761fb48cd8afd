import { parentPort } from 'node:worker_threads';
import type { FastifySchemaValidationError } from 'fastify';
import { Compile } from 'typebox/compile';
import { FailureReport } from '../contract/failure.ts';
import { caseOfReport } from '../diagnosis/case.ts';
import { boundReport } from '../failures/policy/bounds.ts';
import { reportMask } from '../redact/report.ts';
import { secretsIn } from '../failures/policy/secrets-in.ts';
import type { ReadBody } from './large-reports.ts';

// Runs in a thread that large-reports.ts starts. Each message is a body in UTF-8, and each answer is a `ReadBody`.

const check = Compile(FailureReport);
const mask = reportMask();
const FIELDS = Object.keys(FailureReport.properties) as (keyof FailureReport)[];

parentPort?.on('message', (body: Uint8Array) => parentPort?.postMessage(readReport(body)));

function readReport(body: Uint8Array): ReadBody {
  const value = parsed(body);
  if (value === undefined) return { isBroken: true };
  if (!check.Check(value)) return { errors: check.Errors(value) as unknown as FastifySchemaValidationError[] };
  const known = FIELDS.flatMap((field) => (Object.hasOwn(value, field) ? [[field, value[field]]] : []));
  const report = Object.fromEntries(known) as FailureReport;
  // Labels are the only known field whose keys the sender chooses. A key that would change a prototype is dropped, as in other bodies.
  if (report.labels) report.labels = Object.fromEntries(Object.entries(report.labels).filter(([key]) => key !== '__proto__'));
  const kept = boundReport(report);
  const sent = caseOfReport(kept);
  const masked = mask(kept, sent.manifest);
  // Other slow work is done here too, so that the event loop gets its results with the report.
  return { report: kept, read: { masked, secrets: masked === kept ? [] : secretsIn(sent), manifest: sent.manifest() } };
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString());
  } catch {
    return undefined;
  }
}
