/** The replacement for every masked value. */
export const MASK = '***';

/**
 * Which values under a name are secrets. `strong`: all of them. `soft`: values that look random, because ordinary settings use the name too.
 * `digits`: values that look random, and numbers of four or more digits. `random`: only long random texts, because the name itself does not
 * suggest a secret.
 */
export type Secrecy = 'strong' | 'soft' | 'digits' | 'random';

/** If one of these occurs anywhere in a name, its value is a secret. */
const STRONG = new RegExp(
  [
    'passw(?:or)?d|passphrase|passcode|secret|credential|apikey|authtoken|dockerc(?:on)?f(?:i)?g|connectionstring|connstr|webhookurl|masterauth',
    'unseal|mnemonic|seedphrase|recoverycode|backupcode|accesscode|authcode|securityanswer|clientassertion|sharedaccesssignature|sastoken|htpasswd',
    // The word for a password in other languages.
    'passwort|kennwort|zugangsdaten|contrasen|clavesecreta|claveacceso|credenciales|motdepasse|clesecrete|clefsecrete|identifiants?secret',
    'palavrapasse|parolachiave|parolasegreta|chiavesegreta|wachtwoord|losenord|adgangskode|passord|salasana|slaptazodis|katasandi|matkhau',
    'парол|секрет|κωδικος|συνθηματικο|密码|密碼|口令|密钥|密鑰|パスワード|ハスワート|暗証番号|秘密鍵|비밀번호|암호|पासवर्ड|รหัสผ่าน|סיסמה|סיסמא|كلمةالمرور',
  ].join('|'),
);
/** A name is secret if one of its words begins with one of these. They are short, and also occur inside other words. */
const FOREIGN = /^(?:geheim(?!eraum)|senha|segredo|segreto|kodeord|haslo|heslo|jelszo|lozinka|geslo|zaporka|parool|sifre|mima$)/;
/** A name that ends with one of these is secret. */
const STRONG_END =
  /(?<!by|com|tres|under|over|sur|im|en|first|second|two|single|multi|low|high|band|all|one)pass$|pw$|mdp$|pwd$|(?<!un|me)passe$|(?:snmp|rw|ro|read|write|trap)community$|communitystring$/;
/** A name that contains one of these as a whole word is secret; `soft` if another word follows. */
const WORDS = new Set('pass pwd token jwt cookie cookies authorization dsn bearer auth sig signature creds cred'.split(' '));
/** A name whose last word is one of these is secret. */
const LAST = new Set(
  'sas psk pat pats tok parol parola passwords tokens secrets apikeys accesskeys pw mdp passwd passwords passe'.split(' '),
);
/** The value of a variable whose name ends like this may be random without being a secret. */
const RANDOM = new Set(
  'id ids uid uuid guid hash digest sha sha1 sha256 sha512 checksum etag commit revision rev build version tag cert crt certificate ca url uri image'.split(
    ' ',
  ),
);
const DIGITS = new Set('pin pins otp totp pincode'.split(' '));
const SOFT_LAST = new Set(
  (
    'salt seed sk ak encrypt private community session sessionid sid sessid sess pepper nonce csrf xsrf clave llave cle clef chave chiave schluessel schlussel ' +
    'sleutel klucz klic losung codigo hmac ikey skey'
  ).split(' '),
);
/** Keys that give access. Other names that end in `key` are soft, except those of public keys. */
const KEY =
  /(?:access|private|priv|signing|sign|encryption|encrypt|encryptor|decryption|cipher|crypto|master|root|shared|account|service|ssh|storage|license|licence|hmac|auth|tls|ssl|client|deploy|unseal|api|gpg|pgp|wireguard|preshared|aes|rsa|secret|jwt|stripe|webhook|instrumentation|activation|recovery|pass)key(?:data|pem)?$/;
const PUBLIC_KEY =
  /(?:public|pub|primary|foreign|partition|sort|cache|route|row|hot|order|group|grouping|shard|index|lookup|object|bucket|hash|dedup|dedupe|deduplication|idempotency|candidate|composite|natural|unique|surrogate|range|map|dict|property|config|settings?|label|annotation|translation|i18n|message|event|metric|tag|registry|localization|header|field|column|json|log|resource|lock|topology|mon|don|tur|topologykey|publishable|site)key$/;
/** Tokens that are no secrets: the units of language models, and the tokens of paged lists. */
const PUBLIC_TOKEN =
  /(?:eos|bos|pad|unk|sep|cls|mask|stop|special|prompt|completion|page|next|continue|continuation|cancellation|resume|sync|start|end|first|last)tokens?$/;
/** A name that ends like this describes a secret (its location, its lifetime) but does not contain one. */
const ABOUT = new Set(
  (
    'name names ref refs file files path paths dir folder url uri urls ttl id ids expiration expiry expires expired expire seconds timeout count length len size policy type types enabled disabled ' +
    'namespace mount version endpoint endpoints issuer audience header headers field fields provider providers store class limit limits required status mode method methods algorithm alg age ' +
    'period interval consent exception error errors factory manager service controller filter chain handler impl config configuration bean repository interceptor helper util utils builder ' +
    'listener resolver validator generator encoder decoder parser reader writer client server test tests spec rotation rotated rule rules strength hint format prefix suffix label labels ' +
    'used usage total per left max min budget state valid invalid found missing page form reset change changed attempts retries retry scope scopes realm domain host port user username ' +
    'days hours minutes months years kind group role optional items key_id index cache location lifetime leeway secure httponly samesite'
  ).split(' '),
);
/** Ids that are secrets, although most names that end in `id` are not. */
const SECRET_ID = /(?:secret|session|accesskey|sess)id$/;
/** Fields of Kubernetes whose names only look secret. */
const FIELDS = new Set(
  (
    'automountserviceaccounttoken serviceaccounttoken imagepullsecrets secrets optional secret secretref secretkeyref projected ' +
    'nodepublishsecretref controllerexpandsecretref nodestagesecretref pullsecret imagepullsecret tlssecret certsecret secretstore'
  ).split(' '),
);
/** Last words that do not change how secret the value of a name is: a number, an encoding, an environment. */
const BEHIND =
  /^(?:\d{1,3}|base64|b64|value|plain|plaintext|raw|old|new|current|previous|prod|production|dev|staging|stage|qa|uat|default|encrypted|data|v\d)$/;

/** Every secret name contains one of these. Most names contain none of them, and are not examined further. */
const HINT =
  /pass|pw|secr|tok|key|cred|auth|cook|jwt|dsn|bear|sig|conn|webh|unseal|mnem|phrase|code|answer|asser|docker|htp|pin|otp|salt|seed|sk$|ak$|encr|priv|commun|sess|sid|nonce|pepper|[cx]srf|hmac|sas|psk|pat|kenn|geheim|zugang|contras|clav|llav|mdp|cl[eé]|senh|segr|palav|parol|chi?av|wacht|sleut|losen|losung|adgang|kode|salas|hasl|hesl|klu?i?c|jelsz|lozin|gesl|zapor|slapt|sifre|sandi|matkh|mima|schl|[^ -~]/i;

function isUpper(key: string): boolean {
  const first = key.charCodeAt(0);
  return first > 64 && first < 91 && key.includes('_');
}

/** How secret the values under a name (variable, field, flag, header) are. Reads snake_case, kebab-case, camelCase and accents. */
export function secrecyOf(key: string): Secrecy | undefined {
  if (!HINT.test(key) && !isUpper(key)) return undefined;
  const words = wordsOf(key);
  return secrecyOfName(words) ?? (isVariable(key, words) ? 'random' : undefined);
}

/** Whether the key is the name of an environment variable that may hold a secret. Names of random but public values do not count. */
function isVariable(key: string, words: string[]): boolean {
  return /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(key) && !RANDOM.has(words.at(-1) ?? '') && !PUBLIC_KEY.test(words.join(''));
}

function secrecyOfName(words: string[]): Secrecy | undefined {
  while (words.length > 1 && BEHIND.test(words.at(-1) ?? '')) words.pop();
  const last = words.at(-1) ?? '';
  const joined = words.join('');
  if (joined === 'secret') return 'strong';
  if (FIELDS.has(joined) || words.includes('ref')) return undefined;
  if (joined.endsWith('webhookurl')) return 'strong';
  if (SECRET_ID.test(joined)) return joined.endsWith('secretid') ? 'strong' : 'soft';
  if (ABOUT.has(last) || ABOUT_TOGETHER.test(last)) return undefined;
  return byWords(words, joined, last);
}

function byWords(words: string[], joined: string, last: string): Secrecy | undefined {
  if (PUBLIC_TOKEN.test(joined) || words.includes('passwordless')) return undefined;
  if (words.some((word) => FOREIGN.test(word))) return 'strong';
  if (STRONG.test(joined) || joined.endsWith('token') || STRONG_END.test(joined) || LAST.has(last))
    return last === 'tokens' ? 'soft' : 'strong';
  if (PUBLIC_KEY.test(joined)) return undefined;
  if (KEY.test(joined)) return 'strong';
  if (words.some((word) => WORDS.has(word))) return isSwitch(words) ? 'soft' : 'strong';
  if (DIGITS.has(last)) return 'digits';
  if (SOFT_LAST.has(last) || ((last === 'key' || last === 'keys') && words.length > 1)) return 'soft';
  return undefined;
}

/** Whether the name may belong to an ordinary setting: many of these begin with `auth`, `cookie` or `token`. */
function isSwitch(words: string[]): boolean {
  return !WORDS.has(words.at(-1) ?? '');
}

/** The same words when they are written together with the word before them. */
const ABOUT_TOGETHER =
  /(?:exception|error|provider|factory|manager|expiry|expires|length|count|enabled|required|policy|attempts|consent|file|path)$/;

function wordsOf(key: string): string[] {
  const short = key.slice(0, 128);
  const plain = isAscii(short)
    ? short
    : short.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').replaceAll('ł', 'l').replaceAll('ı', 'i');
  return plain
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean);
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}
