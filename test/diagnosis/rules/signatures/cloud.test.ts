import { suite } from 'uvu';
import { cloudAnswerSignatures } from '../../../../src/diagnosis/rules/signatures/cloud-answers.ts';
import { cloudCredentialSignatures } from '../../../../src/diagnosis/rules/signatures/cloud-credentials.ts';
import { env, guess, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows } from '../../../support/builders/log-lines.ts';

const test = suite('what clouds and their libraries say');

const none = (cloud: string, advice: string) => {
  return (log: string, said = log, more: LogRow[3] = {}): LogRow => [
    log,
    `credentials for ${cloud}: ${said}`,
    `it finds no credentials for ${cloud}`,
    { advice, where: 'service account', corrections: [], ...more },
  ];
};
const aws = none(
  'AWS',
  'as a service account with a role (`eks.amazonaws.com/role-arn`), or give it `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` from a Secret.',
);
const google = none('Google Cloud', '(`iam.gke.io/gcp-service-account`), or give it `GOOGLE_APPLICATION_CREDENTIALS` from');
const azure = none(
  'Azure',
  '(`azure.workload.identity/client-id`), or give it `AZURE_CLIENT_ID`, `AZURE_TENANT_ID`, `AZURE_CLIENT_SECRET` from',
);
const around = (surroundings: object) => ({ surroundings }) as { surroundings: object };
const fromSecret = (name: string, key = name) => ({ name, valueFrom: { secretKeyRef: { name: 'cloud', key } } });

logRows(test, cloudCredentialSignatures, {
  'cloud-credentials-absent': [
    aws('botocore.exceptions.NoCredentialsError: Unable to locate credentials', 'Unable to locate credentials'),
    aws('NoCredentialProviders: no valid providers in chain', 'NoCredentialProviders'),
    aws('operation error: no EC2 IMDS role found, operation error', 'no EC2 IMDS role found'),
    aws('Error: Could not load credentials from any providers', 'Could not load credentials from any providers'),
    aws('Missing credentials in config, if using AWS_CONFIG_FILE', 'Missing credentials in config'),
    aws('Unable to load credentials from any of the providers', 'Unable to load credentials from any'),
    aws('Unable to load AWS credentials from any provider in the chain', 'Unable to load AWS credentials from any'),
    aws('Unable to get IAM security credentials from EC2 Instance Metadata Service.', 'Unable to get IAM security credentials'),
    aws('unable to sign request without credentials set', undefined, {
      parts: around({ secrets: [{ name: 'cloud', keys: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] }], serviceAccounts: ['web'] }),
      corrections: likely({ env: [fromSecret('AWS_ACCESS_KEY_ID'), fromSecret('AWS_SECRET_ACCESS_KEY')] }),
    }),
    aws('Unable to locate credentials', undefined, {
      parts: around({ serviceAccounts: ['web'] }),
      corrections: guess({ 'spec.serviceAccountName': 'web' }),
    }),
    google('google: could not find default credentials.', 'could not find default credentials'),
    google('Error: Could not load the default credentials.', 'Could not load the default credentials'),
    google('DefaultCredentialsError: Your default credentials were not found.', 'Your default credentials were not found'),
    google('Default credentials were not found', undefined),
    azure('DefaultAzureCredential: failed to acquire a token.', 'DefaultAzureCredential: failed to acquire a token'),
    azure(
      'DefaultAzureCredential failed to retrieve a token from the included credentials.',
      'DefaultAzureCredential failed to retrieve a token',
    ),
  ],
});

const CALL = (error: string, call = 'ListObjects') => `An error occurred (${error}) when calling the ${call} operation: no`;
const denied = (error: string): LogRow => [
  CALL(error),
  `ListObjects (${error})`,
  `its credentials have no rights for \`ListObjects\` (\`${error}\`)`,
  { advice: 'Give the identity of the pod this right', where: 'its cloud role' },
];
const bucket = (log: string, name: string, more: LogRow[3] = {}): LogRow => [
  log,
  name ? `bucket ${name}` : 'bucket',
  name ? `there is no bucket \`${name}\`` : 'there is no bucket of that name',
  { advice: 'Correct the name and the region', where: 'variables and `args`', corrections: [], ...more },
];
const CREATED = { parts: around({ settings: [{ object: 'setup', key: 'init.sh', value: 'mc mb store/orders-new' }] }) };
const token = (audience: string) => ({
  container: { volumeMounts: [{ name: 'token', mountPath: '/t' }] },
  spec: { volumes: [{ name: 'token', projected: { sources: [{ serviceAccountToken: { audience } }] } }] },
});
const IDENTITY = CALL('InvalidIdentityToken', 'AssumeRoleWithWebIdentity');

logRows(test, cloudAnswerSignatures, {
  'cloud-answer': [
    ...[
      'AccessDenied',
      'UnauthorizedOperation',
      'Forbidden',
      'RequestExpired',
      'InvalidSignatureException',
      'InvalidAccessKeyId',
      'InvalidClientTokenId',
    ].map(denied),
    [
      CALL('Throttling'),
      'ListObjects (Throttling)',
      `the cloud answers \`Throttling\`: \`${CALL('Throttling')}\``,
      { advice: 'Correct the name and the region', where: 'variables and `args`' },
    ],
    ['api error ResourceNotFound: no', 'ResourceNotFound', 'the cloud answers `ResourceNotFound`'],
    [
      'com.amazonaws.AccessDeniedException, api error AccessDeniedException: no',
      'AccessDeniedException',
      'its credentials have no rights for this call (`AccessDeniedException`)',
    ],
    ['S3Error: NoSuchKey', 'NoSuchKey', 'the cloud answers `NoSuchKey`'],
    bucket('S3Error: NoSuchBucket', ''),
    bucket('The specified bucket does not exist', ''),
    bucket('to s3://orders/x\nThe specified bucket does not exist', 'orders'),
    bucket('NoSuchBucket', 'orders', { container: env({ OTHER: 'x', EMPTY_BUCKET: '', S3_BUCKET: 'orders' }) }),
    bucket('NoSuchBucket', 'orders', {
      container: env({ S3_BUCKET: 'orders' }),
      ...CREATED,
      corrections: likely({ 'env[0].value': 'orders-new' }),
    }),
    bucket('NoSuchBucket', 'orders', {
      container: { args: ['--bucket=orders'] },
      ...CREATED,
      corrections: likely({ 'args[0]': '--bucket=orders-new' }),
    }),
    [
      IDENTITY,
      'audience api (InvalidIdentityToken)',
      `AWS does not take the token of its service account: \`${IDENTITY.slice(0, 60)}`,
      {
        ...token('api'),
        advice: 'Make the token for `sts.amazonaws.com`',
        where: "the token's `audience`",
        corrections: likely({ 'spec.volumes[0].projected.sources[0].serviceAccountToken.audience': 'sts.amazonaws.com' }),
      },
    ],
    [IDENTITY, 'audience of the token (InvalidIdentityToken)', 'AWS does not take the token', { corrections: [] }],
  ],
});

test.run();
