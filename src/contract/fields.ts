import Type from 'typebox';

/** The longest name of a Kubernetes object. */
export const MAX_NAME_LENGTH = 253;
/** The longest name of a namespace, and the longest value of a label. */
export const MAX_LABEL_LENGTH = 63;
export const MAX_USER_NAME_LENGTH = 128;

/** The id of a row. */
export const RowId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** A namespace, in which `*` stands for any text. */
export const NamespaceGlob = Type.String({
  minLength: 1,
  maxLength: MAX_LABEL_LENGTH,
  pattern: '^[a-z0-9*]([-a-z0-9*]*[a-z0-9*])?$',
});

/** How many rows of a list one answer holds. */
export const ListLimit = (description?: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, ...(description && { description }) }));

/** Where a page of a list begins. `what` names its rows. */
export const ListBefore = (what: string) =>
  Type.Optional(Type.Integer({ minimum: 1, description: `only ${what} with a smaller id: the last one of the page before` }));

/** Text that a row holds. `where` names the fields that are looked at. */
export const ListText = (where: string) => Type.Optional(Type.String({ maxLength: 200, description: `part of the ${where}` }));
