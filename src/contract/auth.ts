import Type, { type Static } from 'typebox';
import { MAX_USER_NAME_LENGTH, NOT_BLANK } from './fields.ts';
import { PASSWORD_LENGTH } from './password-length.ts';

/** The roles. Each has all permissions of the roles before it, and more; see permissions.ts. */
export const ROLES = ['read', 'write', 'admin'] as const;
export const Role = Type.Enum([...ROLES]);
export type Role = (typeof ROLES)[number];

/** Name of the session cookie (specification, "User sessions"). */
export const SESSION_COOKIE = 'monitor_session';

/** Body of `POST /api/auth/login`. */
export const Credentials = Type.Object({
  username: Type.String({ minLength: 1, maxLength: MAX_USER_NAME_LENGTH }),
  password: Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.max }),
});

/** What accounts/visible-name.ts checks. */
const VISIBLE = 'visible characters without blanks around them, stored in the Unicode form NFC';
const Username = Type.String({
  maxLength: MAX_USER_NAME_LENGTH,
  pattern: NOT_BLANK,
  description: VISIBLE + '; compared without regard to case',
});
const NewPassword = Type.String({ minLength: PASSWORD_LENGTH.min, maxLength: PASSWORD_LENGTH.max });

const KeepTokens = Type.Optional(Type.Boolean({ description: 'whether API tokens stay valid after a new password; absent: they end' }));

/** Body of `POST /api/auth/signup`. `setup_token` is needed when `SETUP_TOKEN` is configured. */
export const Signup = Type.Object({ username: Username, password: NewPassword, setup_token: Type.Optional(Type.String()) });

/** Body of `POST /api/auth/password`. */
export const PasswordChange = Type.Object({
  current_password: Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.max }),
  password: NewPassword,
  keep_tokens: KeepTokens,
});

/** Body of `POST /api/admin/users`. */
export const NewUser = Type.Object({ username: Username, password: NewPassword, role: Role });

/** Body of `PATCH /api/admin/users/{id}`: role, password or both. An absent field does not change. */
export const UserChange = Type.Object(
  { role: Type.Optional(Role), password: Type.Optional(NewPassword), keep_tokens: KeepTokens },
  { minProperties: 1 },
);

/** Answer of signup, login and `GET /api/auth/me`. */
export const UserRecord = Type.Object({ id: Type.Integer(), username: Type.String(), role: Role, created_at: Type.String() });
export type UserRecord = Static<typeof UserRecord>;

/** Answer of `GET /api/auth/status`. */
export const AuthStatus = Type.Object({
  setup_required: Type.Boolean({ description: 'true while no user exists' }),
  authenticated: Type.Boolean(),
});
export type AuthStatus = Static<typeof AuthStatus>;

/** An API token as its owner sees it. The token itself is shown only once, when it is created. */
export const TokenRecord = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  role: Role,
  created_at: Type.String(),
  expires_at: Type.Union([Type.String(), Type.Null()]),
  last_used_at: Type.Union([Type.String(), Type.Null()], { description: 'to the hour' }),
});
export type TokenRecord = Static<typeof TokenRecord>;

/** The longest life of an API token that an administrator can allow. */
export const MAX_TOKEN_DAYS = 3650;

/** Body of `POST /api/tokens`. */
export const NewToken = Type.Object({
  name: Type.String({ maxLength: MAX_USER_NAME_LENGTH, pattern: NOT_BLANK, description: 'what it is for: ' + VISIBLE }),
  role: Type.Optional(Type.Enum([...ROLES], { description: "not above the owner's; absent: the owner's" })),
  expires_in_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_TOKEN_DAYS,
      description: 'at most, and when absent: what the setting api_token_max_days says',
    }),
  ),
});

/** Answer of `POST /api/tokens`: the only time that the token is shown. */
export const MadeToken = Type.Object({ ...TokenRecord.properties, token: Type.String() });
export type MadeToken = Static<typeof MadeToken>;

/** One change: who made it, what was done to which object, when, and from which address. `user_id` is null for the service token. */
export const AuditRecord = Type.Object({
  id: Type.Integer(),
  at: Type.String(),
  user_id: Type.Union([Type.Integer(), Type.Null()]),
  username: Type.String(),
  address: Type.String(),
  action: Type.String({ description: '`area.verb`, such as `failure.ignore`' }),
  target: Type.String(),
  details: Type.Record(Type.String(), Type.Unknown()),
});
export type AuditRecord = Static<typeof AuditRecord>;
