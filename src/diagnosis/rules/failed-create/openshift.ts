import { valueAt } from '../../../crd/field-path.ts';
import type { Change } from '../../../contract/failure.ts';
import { change } from '../../corrections/change.ts';
import { type ContainerPlace, factOf, type RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { RuleAnswer } from '../rule.ts';
import { cannotCreate } from './answer.ts';

/**
 * A field that no constraint allows, as OpenShift names it (Red Hat, "Managing security context constraints"). The path has a dot before `spec` where
 * the field is the pod's own.
 */
const FIELD =
  /(?<![\w.])\.?spec\.((?:(?:initContainers|containers)\[\d{1,3}\]\.)?securityContext\.(?:runAsUser|runAsGroup|fsGroup|supplementalGroups|privileged|allowPrivilegeEscalation|seLinuxOptions|capabilities\.add)|host(?:Network|PID|IPC)|(?:initContainers|containers)\[\d{1,3}\]\.securityContext\.containers\[\d{1,3}\]\.hostPort)\b/g;
/** Fields for which OpenShift fills in a value of the namespace. */
const FILLED_IN = /\.(?:runAsUser|runAsGroup|fsGroup|supplementalGroups|seLinuxOptions)$/;

/** OpenShift lets no security context constraint of the account take the pod. */
export function outsideConstraints(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'refused');
  if (!fact || !/unable to validate against any security context constraint/.test(fact.reason)) return undefined;
  const place = input.place(null);
  const named = [...new Set([...fact.reason.matchAll(FIELD)].map(([, path = '']) => path))];
  const changes = place ? named.flatMap((path) => withoutField(place, path)) : [];
  const fields = changes.map(({ path }) => path.slice(path.lastIndexOf('.') + 1));
  const isFilledIn = changes.every(({ path }) => FILLED_IN.test(path));
  const account = place?.spec.serviceAccountName ?? 'default';
  return cannotCreate(
    input,
    `no security context constraint of OpenShift that their account may use allows them${named[0] ? ` (${named.map((one) => code(one)).join(', ')})` : ''}`,
    {
      culprit: `security context constraint: ${named.join(', ') || fact.reason.slice(0, 120)}`,
      evidence: [fact.evidence],
      advice: [
        `Leave out what the constraint sets itself: OpenShift gives each namespace its own range of users. If the program needs more, let the service account ${code(account)} use another constraint (\`oc adm policy add-scc-to-user\`).`,
      ],
      commands: ['oc get scc'],
      corrections:
        changes.length > 0
          ? [
              {
                title: `Leave out ${[...new Set(fields)].map((one) => code(one)).join(' and ')}`,
                changes,
                confidence: isFilledIn ? 'likely' : 'guess',
                explanation: isFilledIn
                  ? 'OpenShift then runs the pod as a user of its namespace. The program must not need a certain one.'
                  : 'The program may need what is taken away.',
                mirrorable: false,
              },
            ]
          : [],
      noCorrection: {
        why: 'Only another constraint lets this pod run.',
        whereToLook: `which constraints the service account ${code(account)} may use`,
      },
    },
  );
}

function withoutField(place: ContainerPlace, named: string): Change[] {
  const path = `${place.specPath}.${named.replace(/\.securityContext\.containers\[(\d{1,3})\]\.hostPort$/, '.ports[$1].hostPort')}`;
  const value = valueAt(place.object, path);
  return value === undefined || value === null || value === false ? [] : [change(place, path, null, 'no constraint allows it')];
}
