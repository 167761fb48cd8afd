import Type, { type Static } from 'typebox';
import { MAX_USER_NAME_LENGTH, NOT_BLANK } from './fields.ts';
import { Nullable } from './nullable.ts';

/** How much people can say about one incident. Characters are Unicode's, in the form NFC. */
export const COMMENT = { mostCharacters: 4000, most: 200 } as const;

/** Body of `POST /api/incidents/{id}/comments` and of `PATCH` of one. */
export const NewComment = Type.Object({
  text: Type.String({
    maxLength: COMMENT.mostCharacters,
    pattern: NOT_BLANK,
    description:
      'plain text with line breaks, without other control characters and without characters that turn the direction of text; ' +
      'stored in the Unicode form NFC, with secrets masked',
  }),
});

/** What somebody said about an incident. */
export const Comment = Type.Object({
  id: Type.Integer(),
  author: Type.String({ description: 'the name that the author has or had' }),
  author_id: Nullable(Type.Integer({ description: 'null when the user was deleted' })),
  text: Type.String(),
  created_at: Type.String(),
  edited_at: Nullable(Type.String()),
});
export type Comment = Static<typeof Comment>;

/** Body of `PUT /api/incidents/{id}/assignee`. */
export const Assign = Type.Object({
  username: Nullable(
    Type.String({ minLength: 1, maxLength: MAX_USER_NAME_LENGTH, description: 'of a user, compared without regard to case' }),
  ),
});

/** Answer to it. */
export const Assigned = Type.Object({ assignee: Nullable(Type.String({ description: 'who takes care of the incident' })) });
export type Assigned = Static<typeof Assigned>;
