import { accountToken } from '../../corrections/files/missing-file.ts';
import { otherAccount } from '../../corrections/admission/account.ts';
import { code, shellWord } from '../../rendering/quote.ts';
import { audiences, otherAudience } from '../../corrections/files/token-audience.ts';
import type { RuleInput } from '../../facts/input.ts';
import type { Correction } from '../../corrections/correction.ts';
import { givenIn, rewritten } from '../../corrections/given-values.ts';
import { phraseIn } from '../../facts/phrase.ts';
import type { Signature } from './signature.ts';

/** The user of requests without a token. */
const NOBODY = 'system:anonymous';
const SHOW_TOKEN = 'Mount the token of the service account (`automountServiceAccountToken: true`), or give the program a kubeconfig.';

/** A refused request. If it has no namespace, it is about the whole cluster. */
interface Refused {
  verb: string;
  resource: string;
  group?: string;
  namespace: string | undefined;
}

/** Who made the request, in the form for a sentence and in the form for a binding. */
function asker(user: string, ownNamespace: string): { who: string; subject: string } {
  const [, namespace = '', name = ''] = /^system:serviceaccount:([^:]{1,63}):(.{1,253})$/.exec(user) ?? [];
  if (name)
    return {
      who: `${namespace === ownNamespace ? 'its' : 'the'} service account ${code(name)}`,
      subject: `ServiceAccount ${code(name)} of namespace ${code(namespace)}`,
    };
  if (user === '') return { who: 'its service account', subject: 'ServiceAccount of the pod' };
  return { who: user === NOBODY ? 'it shows no token and' : `its user ${code(user)}`, subject: `user ${code(user)}` };
}

function binding({ subject, verb, resource, namespace }: Refused & { subject: string }): string {
  const [role, bound] = namespace ? ['Role', `RoleBinding in ${code(namespace)}`] : ['ClusterRole', 'ClusterRoleBinding'];
  return `An administrator must grant it: a ${role} with the verb ${code(verb)} for ${code(resource)}, and a ${bound} for the ${subject}. If both are there, compare the namespace of the subject and the API group of the rule.`;
}

function questions(user: string, { verb, resource, group, namespace }: Refused): string[] {
  const [type = '', part] = resource.split('/');
  const named = [type, ...(group ? [`.${group}`] : []), ...(part ? [`/${part}`] : [])].join('');
  const where = namespace ? ` -n ${shellWord(namespace)}` : '';
  return [
    `kubectl auth can-i ${shellWord(verb)} ${shellWord(named)} --as=${shellWord(user)}${where}`,
    `kubectl get ${namespace ? 'rolebindings,' : ''}clusterrolebindings -o wide${where}`,
  ];
}

/** The only setting that names the namespace of a refused request, where the pod is in another one: its own namespace. */
function ownNamespace(input: RuleInput, { resource, namespace }: { resource: string; namespace: string | undefined }): Correction[] {
  const place = input.place();
  const own = input.subject.namespace;
  if (!place || namespace === undefined || namespace === own) return [];
  const [only, ...more] = givenIn(place).filter(({ name, value }) => /namespace$/i.test(name) && value === namespace);
  if (!only || more.length > 0) return [];
  return [
    {
      title: `Set ${code(only.name)} to ${code(own)}`,
      changes: [rewritten(place, only, own, 'it is the namespace of the pod')],
      confidence: 'guess',
      explanation: `The account of the pod may see its ${code(resource)} in its own namespace, if the program is meant to use that.`,
      mirrorable: true,
    },
  ];
}

/** Requests that the Kubernetes API refuses: who asked, for what, and which role must be bound. */
export const rightsSignatures: readonly Signature[] = [
  {
    id: 'token-audience',
    hints: ['audience', '(aud)'],
    pattern:
      /(?:invalid|wrong|unexpected|unknown|bad) (?:token )?audiences?\b|audience(?: claim)? (?:does not match|mismatch|is (?:invalid|not allowed))|audience.{0,40}(?:does not match|not match|mismatch|unexpected)|token audiences .{1,200} is invalid/i,
    explain(_, input, line) {
      const own = audiences(input);
      const shown = own.map(({ audience }) => audience).join(', ');
      return {
        because: shown
          ? `its token is made for the audience ${code(shown)}, and the server expects another`
          : 'the server expects a token for another audience',
        culprit: shown ? `audience ${shown}` : `audience: ${phraseIn(line)}`,
        advice: [
          'Give the projected token the audience that the server expects: the one of the role in Vault, or the one of the identity provider.',
        ],
        corrections: otherAudience(input, line),
        whereToLook: "the token's `audience` in the pod's projected volume, and what the server expects",
      };
    },
  },
  {
    // Vault, "Kubernetes auth method": a role names the accounts that may log in.
    id: 'vault-account',
    hints: ['service account name not authorized', 'namespace not authorized'],
    pattern: /(?<what>service account name|namespace) not authorized/,
    explain: ({ what = '' }, input) => {
      const account = input.place(null)?.spec.serviceAccountName ?? 'default';
      return {
        because: `the role in Vault does not let the ${what} of the pod log in (account ${code(account)} of namespace ${code(input.subject.namespace)})`,
        culprit: `service account ${account}: ${what} not authorized by the role in Vault`,
        advice: ['Run the pod as the account that the role names (`bound_service_account_names`), or add this one to the role.'],
        corrections: what === 'namespace' ? [] : otherAccount(input, ''),
        whereToLook: 'the role in Vault, and `serviceAccountName` of the pod',
      };
    },
  },
  {
    id: 'kubernetes-right',
    hints: [' resource "', ' resource \\"'],
    pattern:
      /(?:[Uu]ser \\{0,3}"(?<user>[^"\\]{1,200})\\{0,3}" )?\bcannot (?<verb>[a-z]{2,20}) resource \\{0,3}"(?<resource>[^"\\]{1,100})\\{0,3}"(?: in API group \\{0,3}"(?<group>[^"\\]{0,100})\\{0,3}")?(?: in the namespace \\{0,3}"(?<namespace>[^"\\]{1,63}))?/,
    explain({ user = '', verb = '', resource = '', group = '', namespace }, input) {
      const { who, subject } = asker(user, input.subject.namespace);
      const isNobody = user === NOBODY;
      const isElsewhere = namespace !== undefined && namespace !== input.subject.namespace;
      const of = group ? ` of the API group ${code(group)}` : '';
      return {
        because: `${who} is not allowed to ${code(verb)} ${code(resource)}${of} ${namespace ? `in namespace ${code(namespace)}` : 'in the whole cluster'}`,
        culprit: `${user} cannot ${verb} resource ${resource}${isElsewhere ? ` in namespace ${namespace}` : ''}`.trim(),
        advice: [isNobody ? SHOW_TOKEN : binding({ subject, verb, resource, namespace })],
        commands: questions(user || `system:serviceaccount:${input.subject.namespace}:default`, { verb, resource, group, namespace }),
        corrections: isNobody ? accountToken(input) : [...ownNamespace(input, { resource, namespace }), ...otherAccount(input, user)],
        whereToLook: 'the bindings of this account and the roles that they name',
      };
    },
  },
  {
    id: 'kubernetes-right-given',
    hints: ['not currently held'],
    pattern: /user \\{0,3}"(?<user>[^"\\]{1,200})\\{0,3}".{0,300}attempting to grant RBAC permissions not currently held/,
    explain: ({ user = '' }, _, line) => ({
      because: `the account ${code(user)} wants to give a right that it does not have itself`,
      culprit: phraseIn(line),
      advice: [
        'Give the account that right first, or the verb `escalate` on roles and `bind` on the role. Only somebody who has them may do so.',
      ],
      whereToLook: 'the bindings of this account and the roles that they name',
    }),
  },
];
