import Type, { type Static } from 'typebox';
import { Nullable } from './nullable.ts';

/** `ok`: works; `degraded`: works in part; `down`: should work but does not; `off`: not set up, and optional. */
export const PartState = Type.Enum(['ok', 'degraded', 'down', 'off']);
export type PartState = 'ok' | 'degraded' | 'down' | 'off';

/** A part of the installation, for people. */
export const Part = Type.Object({
  id: Type.String(),
  name: Type.String(),
  state: PartState,
  says: Type.String({ description: 'how it is, in one sentence' }),
  mend: Nullable(Type.String({ description: 'what is missing and how to mend it; commands stand in backquotes' })),
});
export type Part = Static<typeof Part>;

/** Answer of `GET /api/about`. */
export const About = Type.Object({
  version: Type.String(),
  cluster: Type.String(),
  parts: Type.Array(Part),
});
export type About = Static<typeof About>;
