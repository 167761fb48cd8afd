import { otherAccount } from '../../corrections/admission/account.ts';
import { suppliedVariables } from '../../corrections/settings/several-variables.ts';
import type { RuleInput } from '../../facts/input.ts';
import { phraseIn } from '../../facts/phrase.ts';
import type { Signature } from './signature.ts';

interface Cloud {
  name: string;
  /** What the cloud's libraries, in various languages, log when they find no credentials. */
  words: RegExp;
  /** The variables from which they take credentials. */
  variables: readonly string[];
  account: string;
}

const CLOUDS: readonly Cloud[] = [
  {
    name: 'AWS',
    words:
      /Unable to locate credentials|NoCredentialProviders|no EC2 IMDS role found|Could not load credentials from any providers|Missing credentials in config|Unable to load (?:AWS )?credentials from any|Unable to get IAM security credentials|unable to sign request without credentials set/,
    variables: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
    account: 'a service account with a role (`eks.amazonaws.com/role-arn`)',
  },
  {
    name: 'Google Cloud',
    words: /[Cc]ould not (?:find|load the) default credentials|(?:Your )?[Dd]efault credentials were not found/,
    variables: ['GOOGLE_APPLICATION_CREDENTIALS'],
    account: 'a service account that is tied to one of Google Cloud (`iam.gke.io/gcp-service-account`)',
  },
  {
    name: 'Azure',
    words: /DefaultAzureCredential:? failed to (?:retrieve|acquire) a token/,
    variables: ['AZURE_CLIENT_ID', 'AZURE_TENANT_ID', 'AZURE_CLIENT_SECRET'],
    account: 'a service account with an identity (`azure.workload.identity/client-id`)',
  },
];

/** Programs that find no credentials for their cloud. Credentials that the cloud refuses are handled elsewhere. */
export const cloudCredentialSignatures: readonly Signature[] = [
  {
    id: 'cloud-credentials-absent',
    hints: ['credential', 'imds role'],
    pattern: new RegExp(CLOUDS.map(({ words: { source } }) => `(?:${source})`).join('|')),
    explain: (_, input, line) => {
      const cloud = CLOUDS.find(({ words }) => words.test(line));
      const { name, variables, account } = cloud ?? { name: 'its cloud', variables: [], account: 'a service account with a role' };
      return {
        because: `it finds no credentials for ${name}`,
        culprit: `credentials for ${name}: ${phraseIn(cloud?.words.exec(line)?.[0] ?? line)}`,
        advice: [`Let the pod run as ${account}, or give it ${given(variables)} from a Secret.`],
        corrections: corrections(input, variables),
        whereToLook: "the pod's service account, and the Secrets that the container uses",
      };
    },
  },
];

const given = (variables: readonly string[]): string => variables.map((name) => `\`${name}\``).join(', ') || 'its keys';

/** A Secret with these keys was probably meant; with another service account it is only possible. */
function corrections(input: RuleInput, variables: readonly string[]) {
  const supplied = suppliedVariables(input, variables);
  return supplied.length > 0 ? supplied : otherAccount(input, '');
}
