import type { Message, Quote } from './message.ts';

/** The API server refused a pod that its controller wanted to create. */
export type AdmissionFact =
  | {
      kind: 'quota';
      quota: string;
      requested: Record<string, string>;
      used: Record<string, string>;
      limited: Record<string, string>;
      evidence: Quote;
    }
  | { kind: 'quota-needs'; quota: string; fields: { resource: string; containers: string[] }[]; evidence: Quote }
  | { kind: 'pod-security'; level: string; violations: string[]; evidence: Quote }
  | { kind: 'service-account'; name: string; evidence: Quote }
  | { kind: 'priority-class' | 'runtime-class'; name: string; evidence: Quote }
  | { kind: 'policy'; name: string; reason: string; evidence: Quote }
  | {
      kind: 'limit-range';
      of: 'Container' | 'Pod';
      bound: 'maximum' | 'minimum';
      resource: string;
      allowed: string;
      given: string;
      evidence: Quote;
    }
  /** A claim that a StatefulSet makes for its pod. */
  | { kind: 'claim-range'; claim: string; bound: 'maximum' | 'minimum'; allowed: string; given: string; evidence: Quote }
  | { kind: 'above-limit'; path: string; resource: string; request: string; evidence: Quote }
  | { kind: 'limit-ratio'; resource: string; most: number; evidence: Quote }
  | { kind: 'webhook'; name: string; denied: boolean; reason: string; evidence: Quote }
  | { kind: 'refused'; reason: string; evidence: Quote }
  | { kind: 'job-failed'; evidence: Quote };

/** Facts in a message about a controller that cannot create its pods, or about a Job that gave up. */
export function readAdmission({ text, from, reason }: Message): AdmissionFact[] {
  const evidence = { from, text };
  if (reason === 'BackoffLimitExceeded' || reason === 'PodFailurePolicy' || text.includes('Job has reached the specified backoff limit'))
    return [{ kind: 'job-failed', evidence }];
  if (!/forbidden|denied|webhook|Error creating|is invalid|not found/.test(text)) return [];
  return quota(text, evidence) ?? named(text, evidence) ?? limits(text, evidence) ?? other(text, reason, evidence) ?? [];
}

function quota(text: string, evidence: Quote): AdmissionFact[] | undefined {
  const passed = /exceeded quota: ([^,]{1,253}), requested: (.{1,800}), used: (.{1,800}), limited: (.{1,800})/.exec(text);
  if (passed) {
    const [, name, requested, used, limited] = passed as unknown as string[];
    return [
      { kind: 'quota', quota: name as string, requested: amounts(requested), used: amounts(used), limited: amounts(limited), evidence },
    ];
  }
  const needs = /failed quota: ([^:]{1,253}): must specify (.{1,800})/.exec(text);
  if (!needs) return undefined;
  const fields = (needs[2] as string).split(/;/).map((part) => {
    const [resource = '', containers = ''] = part.trim().split(' for: ');
    return {
      resource: resource.trim(),
      containers: containers
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    };
  });
  return [
    {
      kind: 'quota-needs',
      quota: needs[1] as string,
      fields: fields.flatMap((field) => field.resource.split(',').map((resource) => ({ ...field, resource }))),
      evidence,
    },
  ];
}

function amounts(text: string | undefined): Record<string, string> {
  return Object.fromEntries(
    (text ?? '').split(',').flatMap((pair) => {
      const [name, amount] = pair.trim().split('=');
      return name && amount ? [[name, amount]] : [];
    }),
  );
}

function named(text: string, evidence: Quote): AdmissionFact[] | undefined {
  const level = /violates PodSecurity "([^":]{1,60})(?::[^"]{0,60})?": (.{1,3000})/.exec(text);
  // ", " outside parentheses separates violations. Inside the parentheses are the containers and the required value.
  if (level) return [{ kind: 'pod-security', level: level[1] as string, violations: (level[2] as string).split(/(?<=\)), /), evidence }];
  const account = /serviceaccount "([^"]{1,253})" not found/.exec(text);
  if (account) return [{ kind: 'service-account', name: account[1] as string, evidence }];
  const priority = /no PriorityClass with name (\S{1,253}) was found/.exec(text);
  if (priority) return [{ kind: 'priority-class', name: priority[1] as string, evidence }];
  const runtime = /RuntimeClass "([^"]{1,253})" not found|runtimeclass\S{0,20} "([^"]{1,253})" not found/i.exec(text);
  return runtime ? [{ kind: 'runtime-class', name: (runtime[1] ?? runtime[2]) as string, evidence }] : undefined;
}

/** The message lists all violated bounds, in brackets and separated by commas. */
const RANGES =
  /(maximum|minimum) (\S{1,60}) usage per (Container|Pod) is ([^,\s]{1,40})[.,] {1,3}(?:but (?:limit|request) is ([^\s,\]]{1,40}?)|No (?:limit|request) is specified)(?=[.,\]]?(?:\s|$))/g;

function limits(text: string, evidence: Quote): AdmissionFact[] | undefined {
  const ratio = /(\S{1,60}) max limit to request ratio per (?:Container|Pod) is (\d{1,9}(?:\.\d{1,9})?)/.exec(text);
  if (ratio) return [{ kind: 'limit-ratio', resource: ratio[1] as string, most: Number(ratio[2]), evidence }];
  const ranges = [...text.matchAll(RANGES)].map((range): AdmissionFact => ({
    kind: 'limit-range',
    bound: range[1] as 'maximum',
    resource: range[2] as string,
    of: range[3] as 'Pod',
    allowed: range[4] as string,
    given: range[5] ?? '',
    evidence,
  }));
  return ranges.length > 0 ? ranges : (claimRange(text, evidence) ?? aboveLimit(text, evidence));
}

/** A LimitRange knows only the storage of claims. Source: Kubernetes' LimitRanger, and the page "Limit Storage Consumption". */
const CLAIM_RANGE =
  /persistentvolumeclaims "([^"]{1,253})" is forbidden: .{0,200}?(maximum|minimum) storage usage per PersistentVolumeClaim is ([^,\s]{1,40})[.,] {1,3}but (?:limit|request) is ([^\s,\]]{1,40}?)(?=[.,\]]?(?:\s|$))/;

function claimRange(text: string, evidence: Quote): AdmissionFact[] | undefined {
  const found = CLAIM_RANGE.exec(text);
  if (!found) return undefined;
  const [, claim = '', bound = '', allowed = '', given = ''] = found;
  return [{ kind: 'claim-range', claim, bound: bound as 'maximum', allowed, given, evidence }];
}

/** The API server compares after the LimitRange has supplied the container's missing limit. */
function aboveLimit(text: string, evidence: Quote): AdmissionFact[] | undefined {
  const found =
    /spec\.((?:initContainers|containers)\[\d{1,3}\])\.resources\.requests: Invalid value: "([^"]{1,40})": must be less than or equal to (\S{1,60}) limit/.exec(
      text,
    );
  if (!found) return undefined;
  return [{ kind: 'above-limit', path: found[1] as string, request: found[2] as string, resource: found[3] as string, evidence }];
}

function other(text: string, reason: string, evidence: Quote): AdmissionFact[] | undefined {
  const policy = /ValidatingAdmissionPolicy '([^']{1,253})' with binding '[^']{1,253}' denied request: (.{0,1000})/.exec(text);
  if (policy) return [{ kind: 'policy', name: policy[1] as string, reason: policy[2] as string, evidence }];
  const denied = /admission webhook "([^"]{1,253})" denied the request:?\s{0,10}([^]{0,1000})/.exec(text);
  if (denied) return [{ kind: 'webhook', name: denied[1] as string, denied: true, reason: denied[2] as string, evidence }];
  const failed = /failed calling webhook "([^"]{1,253})":? ?([^]{0,1000})/.exec(text);
  if (failed) return [{ kind: 'webhook', name: failed[1] as string, denied: false, reason: failed[2] as string, evidence }];
  if (reason !== 'FailedCreate' && !text.includes('Error creating')) return undefined;
  return [{ kind: 'refused', reason: text.replace(/^(?:\(combined from similar events\): )?(?:Error creating: )?/, ''), evidence }];
}
