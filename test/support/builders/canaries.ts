import type { Random } from './random.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const UPPER = LOWER.toUpperCase();
const WORD = LOWER + UPPER + DIGITS;
const BASE64 = `${WORD}+/`;

/** `length` random characters of an alphabet. */
export function characters(r: Random, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(r.integer(alphabet.length))).join('');
}

/** How a kind of secret is written. */
export interface Format {
  name: string;
  /** The random part, which nobody may see. */
  core(r: Random): string;
  /** The text with the secret in it: a value, an argument or a line. */
  text(core: string): string;
  /** The variable, flag or field name. Only for secrets without a recognisable format of their own. */
  under?: string;
}

const prefixed = (name: string, prefix: string, alphabet: string, length: number): Format => ({
  name,
  core: (r) => characters(r, alphabet, length),
  text: (core) => prefix + core,
});
const address = (name: string, before: string, after: string): Format => ({
  name,
  core: (r) => characters(r, WORD, 20),
  text: (core) => before + core + after,
});
const named = (name: string, under: string, alphabet: string, length: number): Format => ({
  name,
  under,
  core: (r) => characters(r, alphabet, length),
  text: (core) => core,
});

/** The formats are from their issuers' documentation. */
export const FORMATS: Format[] = [
  prefixed('AWS access key id', 'AKIA', UPPER + '234567', 16),
  prefixed('GitHub token', 'ghp_', WORD, 36),
  prefixed('GitHub fine-grained token', 'github_pat_', WORD, 82),
  prefixed('GitLab token', 'glpat-', WORD, 20),
  prefixed('Slack token', 'xoxb-', DIGITS + WORD, 40),
  prefixed('Stripe key', 'sk_live_', WORD, 24),
  prefixed('Google API key', 'AIza', `${WORD}-_`, 35),
  prefixed('npm token', 'npm_', WORD, 36),
  prefixed('PyPI token', 'pypi-AgEIcHlwaS5vcmc', `${WORD}-_`, 120),
  prefixed('Hugging Face token', 'hf_', LOWER + UPPER, 34),
  prefixed('Vault token', 'hvs.', WORD, 24),
  prefixed('Anthropic key', 'sk-ant-api03-', `${WORD}-_`, 80),
  prefixed('Databricks token', 'dapi', HEX, 32),
  prefixed('Grafana token', 'glsa_', WORD, 32),
  prefixed('Shopify token', 'shpat_', HEX, 32),
  prefixed('Telegram bot token', '7123456789:AA', `${WORD}-_`, 33),
  {
    name: 'JSON web token',
    core: (r) => `${characters(r, WORD, 60)}.${characters(r, `${WORD}-_`, 43)}`,
    text: (core) => `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ${core}`,
  },
  {
    name: 'private key',
    core: (r) => Array.from({ length: 3 }, () => characters(r, BASE64, 64)).join('\n'),
    text: (core) => `-----BEGIN EC PRIVATE KEY-----\n${core}\n-----END EC PRIVATE KEY-----`,
  },
  address('PostgreSQL address', 'postgres://app:', '@db.shop:5432/orders'),
  address('MongoDB address', 'mongodb+srv://app:', '@cluster0.example.net/shop?retryWrites=true'),
  address('Redis address', 'redis://:', '@cache:6379/0'),
  address('Slack webhook', 'https://hooks.slack.com/services/T024BE7LD/B01ABCDEF/', ''),
  address('SQL Server connection string', 'Server=db,1433;User Id=app;Password=', ';Encrypt=true'),
  {
    ...address('Azure storage connection string', 'AccountName=shop;AccountKey=', '==;EndpointSuffix=core.windows.net'),
    core: (r) => characters(r, BASE64, 86),
  },
  address('bearer header', 'Authorization: Bearer ', ''),
  named('password', 'db-password', `${WORD}!#%^*_`, 18),
  named('AWS secret access key', 'aws-secret-access-key', BASE64, 40),
  named('token', 'session-token', HEX, 40),
  named('API key', 'payments-api-key', WORD, 32),
  { name: 'basic authorization', under: 'authorization', core: (r) => characters(r, BASE64, 32), text: (core) => `Basic ${core}` },
];

/** Texts that look like secrets but are not. People need them to understand a failure. */
export const HARMLESS: { name: string; make(r: Random): string }[] = [
  { name: 'digest', make: (r) => `sha256:${characters(r, HEX, 64)}` },
  { name: 'image with a digest', make: (r) => `registry.example/token-service@sha256:${characters(r, HEX, 64)}` },
  {
    name: 'image with a tag',
    make: (r) => `ghcr.io/acme/secret-store:v${r.integer(9)}.${r.integer(99)}.${r.integer(99)}-rc.${r.integer(9)}`,
  },
  { name: 'image tagged with a commit', make: (r) => `eu.gcr.io/shop/auth:${characters(r, HEX, 40)}` },
  { name: 'uid', make: (r) => [8, 4, 4, 4, 12].map((length) => characters(r, HEX, length)).join('-') },
  { name: 'commit', make: (r) => characters(r, HEX, 40) },
  { name: 'short commit', make: (r) => characters(r, HEX, 8) },
  { name: 'trace id', make: (r) => characters(r, HEX, 32) },
  { name: 'container id', make: (r) => `containerd://${characters(r, HEX, 64)}` },
  { name: 'pod name', make: (r) => `password-reset-${characters(r, HEX, 9)}-${characters(r, LOWER, 5)}` },
  { name: 'name of a Secret', make: (r) => `db-credentials-${characters(r, LOWER + DIGITS, 10)}` },
  { name: 'file', make: (r) => `/var/run/secrets/tokens/${characters(r, LOWER, 8)}.jwt` },
  { name: 'version', make: (r) => `v1.${r.integer(40)}.${r.integer(20)}-gke.${r.integer(9_999_999)}+${characters(r, HEX, 12)}` },
  {
    name: 'instant',
    make: (r) => `2026-0${1 + r.integer(9)}-1${r.integer(10)}T1${r.integer(10)}:0${r.integer(10)}:00.${characters(r, DIGITS, 9)}Z`,
  },
  { name: 'address with a port', make: (r) => `https://10.${r.integer(255)}.${r.integer(255)}.7:8443/token/v2/keys` },
  { name: 'class', make: (r) => `com.acme.auth.${characters(r, UPPER, 1)}${characters(r, LOWER, 9)}TokenProviderFactoryBean` },
];
