import Type from 'typebox';

/** The longest name of a Kubernetes object. */
export const MAX_NAME_LENGTH = 253;
/** The longest name of a namespace, and the longest value of a label. */
export const MAX_LABEL_LENGTH = 63;
export const MAX_USER_NAME_LENGTH = 128;

/**
 * Characters that nobody sees or that change the text direction: control characters, unpaired surrogates, private ones, and those to which
 * Unicode gives no width (`Default_Ignorable_Code_Point`). Written out, because programs that read the API's description know no classes of
 * Unicode. U+2800 looks like a blank.
 */
const UNSEEN = [
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f',
  '\\u2800\\u3164\\ud800-\\uf8ff\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}',
].join('');
/** What names of Kubernetes objects never contain. */
const NOT_IN_NAMES = `\\s/${UNSEEN}`;

const NAME = `^[^${NOT_IN_NAMES}]+$`;
const NAME_OR_NONE = `^[^${NOT_IN_NAMES}]*$`;
const SHOWN_NAME = `^(?=.*\\S)[^${UNSEEN}]+$`;
/** Text of one line, perhaps empty. */
export const SEEN_OR_NONE = `^[^${UNSEEN}]*$`;
/**
 * Characters that are not allowed in text written by people: control characters (except line feed and tab), line and paragraph separators,
 * unpaired surrogates, and characters that change text direction. Zero-width joiners are allowed, because some scripts and emoji need them.
 */
const UNWRITTEN = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff';
/** Text of people, perhaps empty and of several lines. */
export const WRITTEN = `^[^${UNWRITTEN}]*$`;
/** The same of one line. */
export const WRITTEN_LINE = `^[^\\t\\n${UNWRITTEN}]*$`;
/** One character that is not written in such a line. */
export const NOT_IN_LINE = `[\\t\\n${UNWRITTEN}]`;
/** As CLUSTER_NAME may be. */
const CLUSTER_OR_NONE = '^[A-Za-z0-9_.:/-]*$';

/** The name of a Kubernetes object, or of a part of one, as other programs send it. */
export const ObjectName = Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, pattern: NAME });
/** The same, but an empty text means that there is none. */
export const OptionalName = Type.String({ maxLength: MAX_NAME_LENGTH, pattern: NAME_OR_NONE });
/** A name that may have blanks and slashes, as roles and checks have. */
export const ShownName = (description: string) => Type.String({ maxLength: MAX_NAME_LENGTH, pattern: SHOWN_NAME, description });
/** The name of a cluster. An empty text means that there is none. */
export const OptionalCluster = Type.String({ maxLength: MAX_NAME_LENGTH, pattern: CLUSTER_OR_NONE });

const DAY = '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-9]))';
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9](?::(?:[0-5][0-9]|60)(?:\\.[0-9]{1,9})?)?';
const ZONE = '(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9])?';

const INSTANT = `^[0-9]{4}-${DAY}[Tt ]${TIME}${ZONE}$`;

/** A time as programs write it: ISO 8601, also with a blank instead of the `T`, and without a time zone. */
export const Instant = Type.String({
  pattern: INSTANT,
  description: 'an instant, ISO 8601: 2026-05-01T10:00:00Z',
});

/** Text that is not only blanks. */
export const NOT_BLANK = '\\S';
/** All characters that an address may contain. */
export const PRINTABLE = '^[!-~]+$';
/** A DNS label, the form of many Kubernetes names. */
export const DNS_LABEL = '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$';
const LABEL_GLOB = '^[a-z0-9*]([-a-z0-9*]*[a-z0-9*])?$';
/** An action of the audit log, or the kind of thing that actions are about. */
export const ACTION = '^[a-z-]+(\\.[a-z_-]+)?$';
/** A pod with its namespace. */
export const NAMESPACED = '^[^/]+/[^/]+$';

const NAME_WORDS = 'hold no blanks, slashes, control characters or invisible characters';
/** The patterns in words that can follow "must", for refusals and for the API's description. */
export const PATTERN_WORDS = new Map([
  [NOT_BLANK, 'not be blank'],
  [PRINTABLE, 'hold only letters, digits and signs of ASCII, without blanks'],
  [DNS_LABEL, 'hold only a-z, 0-9 and -, and neither begin nor end with -'],
  [LABEL_GLOB, 'hold only a-z, 0-9, - and *, and neither begin nor end with -'],
  [ACTION, 'be an action such as failure.ignore, or its first word'],
  [NAMESPACED, 'be a namespace and a name: shop/web-1'],
  [NAME, NAME_WORDS],
  [NAME_OR_NONE, NAME_WORDS],
  [SHOWN_NAME, 'not be blank, and hold no control characters or invisible characters'],
  [SEEN_OR_NONE, 'hold no control characters or invisible characters'],
  [WRITTEN, 'hold no control characters but line breaks and tabs, and none that turn its direction'],
  [WRITTEN_LINE, 'hold no control characters, and none that turn its direction'],
  [CLUSTER_OR_NONE, 'hold only letters, digits, -, _, ., : and /'],
  [INSTANT, 'be an instant such as 2026-05-01T10:00:00Z'],
]);

/** The id of a row. */
export const RowId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** A namespace, in which `*` stands for any text. */
export const NamespaceGlob = Type.String({
  minLength: 1,
  maxLength: MAX_LABEL_LENGTH,
  pattern: LABEL_GLOB,
});

/** How many rows of a list one answer holds. */
export const ListLimit = (description?: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, ...(description && { description }) }));

/** Where a page of a list begins. `what` names its rows. */
export const ListBefore = (what: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: `only ${what} with a smaller id: the last one of the page before`,
    }),
  );

/** A count for each of the last 24 hours. `what` names what is counted. */
export const HourlyCounts = (what: string) =>
  Type.Array(Type.Integer(), {
    description: `${what} in each of the last 24 hours of UTC, oldest first; the last one is the current hour`,
  });

/** Text that a row holds. `where` names the fields that are looked at. */
export const ListText = (where: string) => Type.Optional(Type.String({ maxLength: 200, description: `part of the ${where}` }));
