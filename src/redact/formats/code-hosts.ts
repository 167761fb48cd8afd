import { formats } from './format.ts';

/** Code hosts and build services. */
export const CODE_HOSTS = [
  ...formats('GitHub: About authentication to GitHub, token formats', [
    ['GitHub personal access token (classic)', 'ghp_', 'base62', 30],
    ['GitHub OAuth access token', 'gho_', 'base62', 30],
    ['GitHub user token of an app', 'ghu_', 'base62', 30],
    ['GitHub installation token of an app', 'ghs_', 'dotted', 30],
    ['GitHub refresh token of an app', 'ghr_', 'base62', 30],
    ['GitHub fine-grained personal access token', 'github_pat_', 'base64url', 22],
  ]),
  ...formats('GitLab: Token overview, token prefixes', [
    ['GitLab personal access token', 'glpat-', 'dotted', 20],
    ['GitLab OAuth application secret', 'gloas-', 'base64url', 20],
    ['GitLab deploy token', 'gldt-', 'base64url', 20],
    ['GitLab runner authentication token', 'glrt-', 'dotted', 20],
    ['GitLab runner authentication token, registered', 'glrtr-', 'dotted', 20],
    ['GitLab runner registration token', 'GR1348941', 'base64url', 20],
    ['GitLab CI job token', 'glcbt-', 'dotted', 20],
    ['GitLab trigger token', 'glptt-', 'dotted', 20],
    ['GitLab feed token', 'glft-', 'dotted', 20],
    ['GitLab incoming mail token', 'glimt-', 'base64url', 20],
    ['GitLab agent for Kubernetes token', 'glagent-', 'dotted', 20],
    ['GitLab SCIM token', 'glsoat-', 'base64url', 20],
    ['GitLab feature flags client token', 'glffct-', 'base64url', 20],
    ['GitLab workspace token', 'glwt-', 'base64url', 20],
    ['GitLab workload identity token', 'glcat-', 'base64url', 20],
    ['GitLab session token', 'glst-', 'base64url', 20],
    ['GitLab service ping token', 'glsp-', 'base64url', 20],
  ]),
  ...formats('Bitbucket Cloud: App passwords and access tokens', [
    ['Bitbucket app password', 'ATBB', 'base62', 28],
    ['Bitbucket access token', 'ATCTT3', 'padded', 30],
  ]),
  ...formats('Bitbucket Data Center: HTTP access tokens', [['Bitbucket HTTP access token', 'BBDC-', 'base64', 40]]),
  ...formats('Gitea: API usage, OAuth2 provider', [
    ['Gitea OAuth client secret', 'gto_', 'base36', 40],
    ['Gitea access token', 'gta_', 'base62', 30],
  ]),
  ...formats('Sourcegraph: Access tokens', [
    ['Sourcegraph access token', 'sgp_', 'base64url', 40],
    ['Sourcegraph dotcom user token', 'sgd_', 'base64url', 40],
    ['Sourcegraph license token', 'slk_', 'hex', 64],
    ['Sourcegraph workspace token', 'sgw_', 'base64url', 40],
  ]),
  ...formats('CircleCI: Managing API tokens', [
    ['CircleCI personal token', 'CCIPAT_', 'base64url', 30],
    ['CircleCI project token', 'CCIPRJ_', 'base64url', 30],
  ]),
  ...formats('Buildkite: Managing API access tokens', [
    ['Buildkite user token', 'bkua_', 'base62', 30],
    ['Buildkite agent token', 'bkaj_', 'parts', 30],
    ['Buildkite cluster token', 'bkct_', 'parts', 30],
    ['Buildkite registry token', 'bkpt_', 'base62', 30],
  ]),
  ...formats('Harness: Manage API keys', [
    ['Harness personal token', 'pat.', 'dotted', 60],
    ['Harness service account token', 'sat.', 'dotted', 60],
  ]),
  ...formats('Octopus Deploy: API keys', [['Octopus Deploy API key', 'API-', 'BASE36', 25, 40]]),
  ...formats('Woodpecker, Drone, Semaphore, Codefresh, Scalingo: API tokens', [
    ['Scalingo token', 'tk-us-', 'base64url', 40],
    ['Scalingo token of another region', 'tk-fr-', 'base64url', 40],
  ]),
];
