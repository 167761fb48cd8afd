/** What stands in for a masked value, everywhere and always the same. */
export const MASK = '***';

/** Found anywhere in a name, these make its value a secret. */
const STRONG =
  /passw(?:or)?d|passphrase|passcode|secret|credential|apikey|authtoken|dockerc(?:on)?f(?:i)?g|connectionstring|webhookurl|(?:require|store|key)pass$|masterauth/;
/** As a whole word of a name, these do. */
const WORDS = new Set(['pass', 'pwd', 'token', 'jwt', 'cookie', 'authorization', 'dsn', 'bearer', 'otp', 'auth', 'sig', 'signature']);
const KEYED = /(?:access|private|signing|encryption|master|shared|account|service|ssh|storage|license|hmac|auth|tls|client)key(?:data)?$/;
/** A name that ends so tells about a secret (where, how long, which) but holds none. */
const ABOUT = new Set(
  (
    'name names ref file path dir url uri ttl id expiration expiry seconds timeout count length size policy type enabled namespace mount ' +
    'version endpoint issuer audience header field provider store class limit required status mode method algorithm age period interval'
  ).split(' '),
);
/** Kubernetes' own fields that only sound like secrets. */
const FIELDS = new Set(['automountserviceaccounttoken', 'serviceaccounttoken', 'imagepullsecrets', 'secrets', 'optional']);

/** Whether a value under this name (variable, field, flag, header) is to be masked. Reads snake_case, kebab-case and camelCase. */
export function isSecretKey(key: string): boolean {
  const words = key
    .slice(0, 128)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const joined = words.join('');
  if (FIELDS.has(joined)) return false;
  if (joined.endsWith('webhookurl') || joined.endsWith('sessionid')) return true;
  if (ABOUT.has(words.at(-1) ?? '')) return false;
  return STRONG.test(joined) || joined.endsWith('token') || KEYED.test(joined) || words.some((word) => WORDS.has(word));
}

/** What stands where a secret would, and is none: switches, references, what is masked already. */
export function isHarmless(value: string): boolean {
  return (
    value.trim() === '' ||
    value.startsWith(MASK) ||
    /^(?:true|false|null|nil|none|yes|no|undefined|<nil>|<none>|<unset>|<redacted>|\{\}|\[\]|[|>][-+]?|[[{])$/i.test(value) ||
    /^\$(?:\([\w.-]{1,128}\)|\{[\w.:-]{1,128}\}|[A-Za-z_]\w{0,128})$/.test(value)
  );
}
