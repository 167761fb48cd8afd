import Type, { type Static } from 'typebox';

/** Roles, weakest first: each may do what those before it may (specification, "User sessions"). */
export const ROLES = ['read', 'write', 'admin'] as const;
export const Role = Type.Enum([...ROLES]);
export type Role = (typeof ROLES)[number];

/** Name of the session cookie (specification, "User sessions"). */
export const SESSION_COOKIE = 'monitor_session';

/** Body of `POST /api/auth/login`. */
export const Credentials = Type.Object({
  username: Type.String({ minLength: 1, maxLength: 128 }),
  password: Type.String({ minLength: 1, maxLength: 1024 }),
});

/** Body of `POST /api/auth/signup`. `setup_token` is needed when `SETUP_TOKEN` is configured. */
export const Signup = Type.Object({
  username: Type.String({ minLength: 1, maxLength: 128 }),
  password: Type.String({ minLength: 8, maxLength: 1024 }),
  setup_token: Type.Optional(Type.String()),
});

/** Answer of signup, login and `GET /api/auth/me`. */
export const UserRecord = Type.Object({ id: Type.Integer(), username: Type.String(), role: Role, created_at: Type.String() });
export type UserRecord = Static<typeof UserRecord>;

/** Answer of `GET /api/auth/status`. */
export const AuthStatus = Type.Object({
  setup_required: Type.Boolean({ description: 'true while no user exists' }),
  authenticated: Type.Boolean(),
});
